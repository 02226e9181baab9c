// The image for containers: what most commands of agents need, on a small Debian.

/** The preset of sandbox.docker.image is its name. */
export const DOCKERFILE = `# The sandbox of Chela. Nothing in it is needed by the gateway: add what your agents work with.
FROM debian:bookworm-slim
RUN apt-get update \\
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \\
    bash ca-certificates curl file git jq less procps python3 ripgrep unzip xz-utils zip \\
 && rm -rf /var/lib/apt/lists/*
# Who runs commands, where, and with which rights is said when a container is made.
WORKDIR /workspace
CMD ["sleep", "infinity"]
`;
