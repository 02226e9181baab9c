// Programs that can be told to run other programs or code: being allowed by path alone would allow everything.
import { basename } from "node:path";
import { calledName, type FoundProgram } from "./find-program.ts";

export interface RunsOthers {
  readonly name: string;
  /** Completes "<name> …". */
  readonly reason: string;
  /** Its arguments may be files of code, so what is in them is part of what is approved. */
  readonly runsFiles: boolean;
}

interface Group {
  readonly reason: string;
  readonly runsFiles?: true;
  readonly names: string;
}

const GROUPS: readonly Group[] = [
  {
    reason: "is a shell and runs any command",
    runsFiles: true,
    names:
      "sh bash rbash dash ash ksh mksh pdksh zsh fish csh tcsh yash elvish nu xonsh pwsh powershell cmd osh ysh oil " +
      "posh sash rc slsh",
  },
  {
    reason: "runs any code it is given",
    runsFiles: true,
    names:
      "python pypy ipython jython micropython node nodejs deno bun bunx tsx ts-node esno perl perl6 raku ruby irb jruby php hhvm lua luajit " +
      "texlua tclsh wish expect guile racket scheme chicken sbcl clisp ecl emacs emacsclient julia r rscript octave matlab " +
      "java jshell groovy scala kotlin kotlinc clojure clj bb elixir iex erl escript ghc ghci runghc runhaskell stack swift " +
      "osascript awk gawk mawk nawk original-awk bwk sed gsed ed ex m4 bc dc jshell qjs d8 js gjs cscript wscript mshta " +
      "gdb lldb sqlite3 sqlite psql mysql mariadb mongo mongosh redis-cli duckdb gnuplot pandoc tex latex pdflatex xelatex lualatex " +
      "uv uvx pipx poetry hatch pdm rye conda mamba micromamba pixi nix nix-shell nix-build guix " +
      "jjs jrunscript pry byebug pdb cpan perlbug ginsh bpftrace crash gcore scanmem debugfs tdbtool bconsole msfconsole sqlmap " +
      "volatility cowsay cowthink latexmk xetex dvips pic eqn soelim puppet knife facter neofetch gimp dstat xdg-user-dir",
  },
  {
    reason: "starts the program named in its arguments",
    names:
      "env xargs parallel sudo doas su runuser pkexec gosu su-exec setpriv setsid nohup nice ionice chrt taskset numactl timeout gtimeout " +
      "time watch flock lockf script scriptreplay unbuffer stdbuf strace ltrace perf valgrind catchsegv heaptrack unshare nsenter " +
      "chroot fakeroot fakechroot firejail bwrap systemd-run systemd-nspawn capsh prlimit setarch linux32 linux64 i386 x86_64 uname26 arch " +
      "chpst softlimit setuidgid envdir envuidgid tini dumb-init runcon sg newgrp torify torsocks proxychains proxychains4 tsocks " +
      "proot faketime eatmydata dbus-run-session dbus-launch xvfb-run startx xinit ssh-agent gpg-agent entr inotifywait " +
      "fswatch watchexec nodemon reflex onchange start-stop-daemon daemonize daemon at batch crontab cron anacron run-parts " +
      "launchctl open xdg-open gio wine wine64 mono dotnet qemu-x86_64 ld ld.so ld-linux ld-linux-x86-64 busctl systemctl " +
      "service rc-service initctl loginctl machinectl direnv dotenv op doppler infisical aws-vault chamber cgexec hyperfine multitime retry " +
      "fd fdfind find gfind aa-exec choom cpulimit logsave openvt pexec pidstat rlwrap run0 setlock sshuttle unlockmgr_server run-mailcap " +
      "msgfilter scrot certbot check_by_ssh csvtool grc ansible-test varnishncsa nginx easyrsa",
  },
  {
    reason: "is many programs in one, chosen by its first argument or its name",
    names: "busybox toybox coreutils uutils sbase-box mise asdf pyenv rbenv nodenv nvm volta fnm rtx rustup corepack",
  },
  {
    reason: "runs hooks, aliases, helpers or scripts of the project",
    names:
      "git git-shell gitk tig hub gh glab hg svn bzr cvs fossil jj sl repo pre-commit husky lefthook " +
      "npm npx npm-cli npx-cli pnpm pnpx pnpm-cli yarn yarnpkg ni lerna nx turbo rush gulp grunt webpack vite rollup esbuild parcel jest vitest mocha ava " +
      "eslint prettier tsc babel pip easy_install tox nox pytest invoke fab ansible ansible-playbook gem bundle bundler rake cargo rustc go " +
      "gofmt make gmake bmake cmake ctest cpack ninja meson bazel bazelisk buck buck2 scons waf just task mage ant mvn mvnw gradle " +
      "gradlew sbt lein mill cabal rebar3 mix dub zig nim nimble crystal shards opam dune composer artisan drush wp flutter dart pub " +
      "xcodebuild xcrun fastlane pod carthage autoconf automake autoreconf configure libtool pkg-config dpkg-buildpackage debuild rpmbuild makepkg",
  },
  {
    reason: "can be told to a compiler, linker or plugin",
    names:
      "cobc c89 c99 gcc g++ cc c++ cpp clang clang++ tcc icc nvcc as gfortran ccache distcc sccache nasm objcopy ldd ldconfig",
  },
  {
    reason: "installs or runs software with all rights",
    names:
      "rpmdb rpmquery rpmverify qemu-system-x86_64 qemu-system-aarch64 qemu-system-i386 dosbox apt apt-get aptitude dpkg yum dnf rpm zypper pacman yay paru apk emerge brew port snap flatpak nixos-rebuild update-alternatives " +
      "docker docker-compose podman nerdctl buildah ctr crictl runc crun lxc lxd lxc-attach kubectl helm oc k9s kustomize terraform tofu " +
      "terragrunt pulumi packer vagrant virsh vboxmanage aws gcloud gsutil az heroku fly flyctl vercel netlify wrangler insmod modprobe mount umount",
  },
  {
    reason: "opens a shell or runs commands from inside",
    names:
      "vi vim vimdiff view rvim rview nvim gvim gview vimtutor nano pico rnano joe jed ne mg micro helix hx kak kakoune code subl less lesspipe more most pg man " +
      "apropos whatis info pinfo screen tmux byobu zellij dtach abduco mc ranger nnn lf vifm fzf sk peco dialog whiptail mutt neomutt mail mailx " +
      "ftp lftp ncftp w3m lynx links elinks irssi weechat top htop btop iotop glances journalctl bat batcat delta pspg " +
      "tmate ncdu iftop rtorrent timedatectl coredumpctl systemd-analyze resolvectl networkctl hostnamectl localectl bootctl " +
      "visual editor sensible-editor sensible-pager select-editor pager vipw vigr visudo sudoedit crontab ispell aspell",
  },
  {
    reason: "connects through a helper program or to another machine",
    names:
      "ssh scp sftp sshfs slogin mosh autossh ssh-keygen ssh-add ssh-copy-id sshpass rsync rclone restic borg duplicity telnet rsh rlogin rexec nc ncat netcat " +
      "socat openssl gpg gpg2 gpgsm wget wget2 aria2c youtube-dl yt-dlp sendmail exim postfix msmtp procmail fetchmail tcpdump tshark dumpcap wireshark nmap " +
      "ngrok cloudflared openvpn wg-quick ip nft iptables psftp hping hping3",
  },
  {
    reason: "has options that another program",
    names:
      "tar gtar bsdtar star cpio pax zip unzip 7z 7za 7zr rar unrar sort gsort split gsplit csplit install ginstall patch diff sdiff diff3 " +
      "rg ripgrep ag ack zgrep zmore zless zdiff bzgrep xzgrep logrotate mktexpk ps2pdf gs ghostscript convert magick mogrify ffmpeg " +
      "ffplay vlc mpv mplayer exiftool pdftotext chsh chfn passwd rpcinfo dmsetup ionice loadkeys pv " +
      "shuf-exec sysctl tcl tasksh tbl troff groff nroff tig xdotool xterm uxterm gnome-terminal konsole alacritty kitty rxvt urxvt foot zathura",
  },
];

/** Why a path alone is not enough for this program; undefined when it is. */
export function findRunsOthers(program: FoundProgram): RunsOthers | undefined {
  for (const name of [basename(program.file), basename(program.foundAt), calledName(program)]) {
    for (const form of formsOf(name)) {
      const group = GROUPS.find(({ names }) => ` ${names} `.includes(` ${form} `));
      if (group) return { name, reason: group.reason, runsFiles: group.runsFiles === true };
    }
  }
  return undefined;
}

/** `python3.11`, `vim.basic`, `x86_64-linux-gnu-gcc-13` and `Git.exe` are python, vim, gcc and git. */
function formsOf(name: string): string[] {
  const plain = name.toLowerCase().replace(/\.(exe|cmd|bat|com|js|cjs|mjs|py|sh|pl|rb)$/, "");
  const withoutVersion = plain.replace(/[-.]?\d[\d.]*[a-z]?$/, "");
  const beforeDot = plain.split(".", 1)[0] ?? "";
  const withoutTarget = withoutVersion.replace(/^.*-(?:gnu|musl|linux|darwin|mingw32|eabi|eabihf|elf)-/, "");
  const forms = [plain, withoutVersion, beforeDot, beforeDot.replace(/[-.]?\d[\d.]*$/, ""), withoutTarget];
  return forms.filter((form) => /^[^ ]+$/.test(form));
}
