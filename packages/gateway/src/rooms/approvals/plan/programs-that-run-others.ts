// Programs that can be told to run other programs or code: being allowed by path alone would allow everything.
import { basename } from "node:path";
import { calledName, type FoundProgram } from "./find-program.ts";

export interface RunsOthers {
  readonly name: string;
  /** Completes "<name> …". */
  readonly reason: string;
  /** "interpreter": it runs files of code that its arguments name. "starter": a whole command stands in its arguments. */
  readonly kind?: ProgramKind;
}

export type ProgramKind = "interpreter" | "starter";

interface Group {
  readonly reason: string;
  readonly kind?: ProgramKind;
  readonly names: string;
}

const GROUPS: readonly Group[] = [
  {
    reason: "is a shell and runs any command",
    kind: "interpreter",
    names:
      "sh bash rbash dash ash ksh mksh pdksh zsh fish csh tcsh yash elvish nu xonsh pwsh powershell cmd osh ysh oil " +
      "posh sash rc slsh ksh93 lksh rksh rzsh zsh-static bash-static pfsh scsh es",
  },
  {
    reason: "runs any code it is given",
    kind: "interpreter",
    names:
      "python pypy ipython jython micropython node nodejs deno bun bunx tsx ts-node esno perl perl6 raku ruby irb jruby php hhvm lua luajit " +
      "texlua tclsh wish expect guile racket scheme chicken sbcl clisp ecl emacs emacsclient julia r rscript octave matlab " +
      "java jshell groovy scala kotlin kotlinc clojure clj bb elixir iex erl escript ghc ghci runghc runhaskell stack swift " +
      "osascript awk gawk mawk nawk original-awk bwk sed gsed ed ex m4 bc dc jshell qjs d8 js gjs cscript wscript mshta " +
      "gdb lldb sqlite3 sqlite psql mysql mariadb mongo mongosh redis-cli duckdb gnuplot pandoc tex latex pdflatex xelatex lualatex " +
      "uv uvx pipx poetry hatch pdm rye conda mamba micromamba pixi nix nix-shell nix-build guix " +
      "jjs jrunscript pry byebug pdb cpan perlbug ginsh bpftrace crash gcore scanmem debugfs tdbtool bconsole msfconsole sqlmap " +
      "volatility cowsay cowthink latexmk xetex dvips pic eqn soelim puppet knife facter neofetch gimp dstat xdg-user-dir " +
      "pydoc perldoc pod2man pod2text pod2usage prove ptar ptardiff ptargrep corelist cpanm plackup erb ri rdoc rackup thor " +
      "luac moon fennel janet hy coffee livescript ts-node-dev swc-node jsc quickjs mujs duk spidermonkey " +
      "gawkbug igawk gforth pforth forth newlisp picolisp pil abcl ccl ecl-min gcl maxima sage gp pari axiom " +
      "octave-cli scilab sc-im vd visidata jupyter ipykernel marimo streamlit debugpy pyinstaller " +
      "xsltproc saxon xmlstarlet dhall nickel jsonnet cue starlark rego opa hcl2json mustache " +
      "snobol snobol4 intercal bf gst smalltalk squeak io rebol red rexx regina oorexx tkcon expectk dtrace stap systemtap bcc " +
      "lilypond asymptote asy povray blender inkscape freecad openscad scribus darktable-cli audacity " +
      "msfvenom radare2 r2 rizin ghidra ida cutter edb ddd kdbg cgdb pwndbg udb rr winedbg",
  },
  {
    reason: "starts the program named in its arguments",
    kind: "starter",
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
      "msgfilter scrot certbot check_by_ssh csvtool grc ansible-test varnishncsa nginx easyrsa " +
      "fstab-decode msgexec memusage memusagestat sotruss pldd sprof fakeroot-sysv fakeroot-tcp fakeroot-ng pseudo debconf debconf-apt-progress " +
      "dpkg-preconfigure pg_virtualenv pg_ctlcluster scriptlive uclampset systemd-inhibit systemd-cat systemd-socket-activate systemd-stdio-bridge " +
      "switch_root pivot_root coresched schedtool setns lxc-execute nsjail minijail0 bubblewrap flatpak-spawn " +
      "dex exo-open gtk-launch kioclient kde-open mimeopen see edit compose print x-terminal-emulator x-www-browser sensible-browser " +
      "dbus-update-activation-environment at-spi-bus-launcher gdbus dbus-send inotifywatch incrontab fcrontab bcron jobber runit runsv runsvdir svlogd " +
      "s6-svscan s6-supervise s6-setuidgid execlineb foreground background with-contenv catatonit dinit openrc-run supervisord supervisorctl circusd " +
      "monit god pm2 forever foreman honcho overmind hivemind goreman concurrently npm-run-all wait-on dockerize wait-for-it confd consul-template " +
      "envconsul sops gopass pass bw teller berglas ssm-env summon keyring " +
      "ccontrol expect-lite autoexpect empty ptywrap nc.traditional nc.openbsd tcpserver tcpsvd udpsvd inetd xinetd " +
      "authbind privbind sudo-rs pfexec calife super op su1 userv schroot dchroot debootstrap mmdebstrap cdebootstrap pbuilder sbuild " +
      "piuparts autopkgtest adt-run dgit gbp quilt equivs-build checkinstall auto-apt installwatch strace-graph uftrace " +
      "lttng babeltrace sysdig falco tracee trace-cmd kernelshark operf ocount oprofiled likwid-perfctr vtune advixe-cl nvprof nsys ncu " +
      "cuda-gdb compute-sanitizer cuda-memcheck rocprof mpirun mpiexec orterun prun srun salloc sbatch qsub bsub condor_run oarsub charmrun " +
      "pdsh dsh clush pssh parallel-ssh mussh cssh xpanes tmuxinator teamocil asciinema ttyrec termtosvg record-query " +
      "sem sql niceload env_parallel parset xjobs moreutils chronic ifne pee vidir vipe zrun mispipe " +
      "proxytunnel stunnel stunnel3 stunnel4 ucspi usewithtor oniux graftcp tun2proxy vrf",
  },
  { reason: "commands the gateway itself", names: "chela openclaw clawdbot moltbot moldbot" },
  {
    reason: "is many programs in one, chosen by its first argument or its name",
    names:
      "busybox toybox coreutils uutils sbase-box ubase-box mise asdf pyenv rbenv nodenv nvm volta fnm rtx rustup corepack jenv goenv phpenv plenv " +
      "luaenv shadowenv aqua proto hermit sbase",
  },
  {
    reason: "runs hooks, aliases, helpers or scripts of the project",
    names:
      "git git-shell gitk tig hub gh glab hg svn bzr cvs fossil jj sl repo pre-commit husky lefthook " +
      "npm npx npm-cli npx-cli pnpm pnpx pnpm-cli yarn yarnpkg ni lerna nx turbo rush gulp grunt webpack vite rollup esbuild parcel jest vitest mocha ava " +
      "eslint prettier tsc babel pip easy_install tox nox pytest invoke fab ansible ansible-playbook gem bundle bundler rake cargo rustc go " +
      "gofmt make gmake bmake cmake ctest cpack ninja meson bazel bazelisk buck buck2 scons waf just task mage ant mvn mvnw gradle " +
      "gradlew sbt lein mill cabal rebar3 mix dub zig nim nimble crystal shards opam dune composer artisan drush wp flutter dart pub " +
      "xcodebuild xcrun fastlane pod carthage autoconf automake autoreconf configure libtool pkg-config dpkg-buildpackage debuild rpmbuild makepkg " +
      "git-lfs git-annex git-crypt git-secret gitlint commitlint lint-staged semantic-release release-it changesets np auto standard-version " +
      "stylelint tslint xo biome oxlint tsup unbuild swc snowpack rspack rsbuild farm astro next nuxt remix gatsby docusaurus " +
      "vuepress eleventy hugo jekyll hexo mkdocs sphinx-build pelican zola cobalt storybook playwright cypress karma jasmine nightwatch wdio " +
      "testcafe tap nyc c8 bats shellspec roundup pyflakes flake8 pylint mypy black isort ruff bandit safety nosetests " +
      "trial green ward hypothesis behave robot coverage pip-compile pip-sync pipenv flit twine maturin setuptools cookiecutter copier alembic " +
      "django-admin flask gunicorn uvicorn celery scrapy luigi airflow dbt prefect dagster snakemake nextflow cwltool cromwell rails rspec " +
      "cucumber rubocop guard capistrano cap kitchen chef-client chef-solo salt salt-call cfagent cf-agent ansible-pull ansible-console " +
      "phpunit phpstan psalm pest symfony laravel codecept behat phing deployer cargo-make cargo-nextest cargo-watch clippy-driver rustdoc " +
      "rustfmt golangci-lint gotestsum air mage goreleaser buf protoc swift-build swift-test tuist xcodegen gn siso soong kati tup redo b2 bjam " +
      "premake5 xmake conan vcpkg spack easybuild earthly dagger skaffold tilt devspace garden okteto werf nixpacks pack act " +
      "gitlab-runner drone woodpecker circleci tkn argo flux nomad consul devbox devenv flox lorri cachix stylua luarocks",
  },
  {
    reason: "can be told to a compiler, linker or plugin",
    names:
      "cobc c89 c99 gcc g++ cc c++ cpp clang clang++ tcc icc nvcc as gfortran ccache distcc sccache nasm objcopy ldd ldconfig " +
      "gnat gnatmake gdc ldc2 dmd fpc ghdl iverilog verilator vvp yosys nvc nextpnr colcon collect2 lto-wrapper lto-dump gcc-ar gcc-nm gcc-ranlib " +
      "nm ar ranlib gold ld.bfd ld.gold ld.lld lld mold llc lli opt llvm-link llvm-ar llvm-nm objdump strip elfedit dwp bison flex yacc lex " +
      "byacc re2c ragel antlr antlr4 javac javadoc jlink jpackage kotlinc-jvm scalac groovyc dx r8 emcc em++ wasm-ld zigcc cython swig sip moc uic rcc",
  },
  {
    reason: "installs or runs software with all rights",
    names:
      "rpmdb rpmquery rpmverify qemu-system-x86_64 qemu-system-aarch64 qemu-system-i386 dosbox apt apt-get aptitude dpkg yum dnf rpm zypper pacman yay paru apk emerge brew port snap flatpak nixos-rebuild update-alternatives " +
      "docker docker-compose podman nerdctl buildah ctr crictl runc crun lxc lxd lxc-attach kubectl helm oc k9s kustomize terraform tofu " +
      "terragrunt pulumi packer vagrant virsh vboxmanage aws gcloud gsutil az heroku fly flyctl vercel netlify wrangler insmod modprobe mount umount " +
      "kmod rmmod depmod kexec losetup swapon fsck mkfs cryptsetup lvm mdadm zfs zpool btrfs dpkg-divert dpkg-reconfigure dpkg-statoverride " +
      "dpkg-deb apt-key apt-extracttemplates add-apt-repository tasksel unattended-upgrade needrestart ucf invoke-rc.d update-rc.d " +
      "useradd usermod groupadd adduser addgroup chpasswd newusers setcap setfacl chattr pam-auth-update " +
      "minikube kind k3d k3s microk8s rancher colima lima limactl finch incus multipass quickemu qemu-img qemu-nbd guestfish virt-install " +
      "eksctl copilot sam cdk serverless sls chalice zappa amplify firebase supabase railway render doctl linode-cli hcloud scw oci ibmcloud openstack",
  },
  {
    reason: "opens a shell or runs commands from inside",
    names:
      "vi vim vimdiff view rvim rview nvim gvim gview vimtutor nano pico rnano joe jed ne mg micro helix hx kak kakoune code subl less lesspipe more most pg man " +
      "apropos whatis info pinfo screen tmux byobu zellij dtach abduco mc ranger nnn lf vifm fzf sk peco dialog whiptail mutt neomutt mail mailx " +
      "ftp lftp ncftp w3m lynx links elinks irssi weechat top htop btop iotop glances journalctl bat batcat delta pspg " +
      "tmate ncdu iftop rtorrent timedatectl coredumpctl systemd-analyze resolvectl networkctl hostnamectl localectl bootctl " +
      "visual editor sensible-editor sensible-pager select-editor pager vipw vigr visudo sudoedit crontab ispell aspell " +
      "elvis nvi vile levee zile jove qemacs uemacs xemacs amp xi zee kibi ox dte tilde fte le mcedit mcview mcdiff xxdiff meld kdiff3 " +
      "lesskey lessecho moar ov slit lv sc sc-im tin slrn trn alpine pine elm s-nail nail nmh mh mhshow sup notmuch aerc himalaya " +
      "newsboat newsbeuter calcurse khal remind taskwarrior timew jrnl nb zk cscope ctags etags global gtags dselect " +
      "powertop atop nmon bmon nethogs slabtop lazygit lazydocker gitui ctop dive cmus mocp ncmpcpp mpg123 mpg321 timidity sl",
  },
  {
    reason: "connects through a helper program or to another machine",
    names:
      "ssh scp sftp sshfs slogin mosh autossh ssh-keygen ssh-add ssh-copy-id sshpass rsync rclone restic borg duplicity telnet rsh rlogin rexec nc ncat netcat " +
      "socat openssl gpg gpg2 gpgsm wget wget2 aria2c youtube-dl yt-dlp sendmail exim postfix msmtp procmail fetchmail tcpdump tshark dumpcap wireshark nmap " +
      "ngrok cloudflared openvpn wg-quick ip nft iptables psftp hping hping3 " +
      "curlie httpie http https xh axel lwp-request lwp-download smbclient mount.cifs rpcclient winexe " +
      "ldapsearch ldapmodify snmpget snmpwalk tftp tnftp pftp cadaver davfs2 gftp unison syncthing rdiff-backup rdup " +
      "rsnapshot bup kopia duplicati tarsnap dar obnam burp bacula amanda lsyncd csync2 dsync osync mbsync isync offlineimap getmail fdm maildrop " +
      "swaks ssmtp esmtp nullmailer x11vnc vncviewer xfreerdp rdesktop remmina teamviewer pppd chat wvdial minicom picocom cu tip kermit " +
      "svnserve p4 darcs monotone mtn pijul dolt plink pscp pterm dbclient dropbear dropbearkey lsh tinyssh et eternalterminal",
  },
  {
    reason: "has options that name another program",
    names:
      "tar gtar bsdtar star cpio pax zip unzip 7z 7za 7zr rar unrar install ginstall patch sdiff " +
      "ag ack zmore zless logrotate mktexpk ps2pdf gs ghostscript convert magick mogrify ffmpeg " +
      "ffplay vlc mpv mplayer exiftool chsh chfn passwd rpcinfo dmsetup ionice loadkeys " +
      "sysctl tcl tasksh tbl troff groff nroff tig xdotool xterm uxterm gnome-terminal konsole alacritty kitty rxvt urxvt foot zathura " +
      "bsdcat bsdcpio mtree shar unshar uudecode lha arj unar lsar p7zip zpaq lrzip lrztar pixz dtrx atool aunpack apack als acat arepack " +
      "gm identify display animate composite montage import stream compare inkview rsvg-convert potrace ffprobe ffserver avconv sox play rec soxi " +
      "melt gst-launch gst-launch-1.0 cvlc nvlc mencoder handbrake mkvmerge dvdauthor cdrecord growisofs genisoimage xorriso wodim abcde ripit " +
      "dot neato gnuplot-nox gri ploticus graph-easy a2ps enscript lpr lp lpstat cupsfilter mpage psnup unoconv soffice libreoffice abiword antiword " +
      "catdoc pdfjam pdftk tesseract ocrmypdf wkhtmltopdf weasyprint prince asciidoctor asciidoc a2x xmlto docbook2man help2man txt2man " +
      "makeinfo texi2dvi texi2any bibtex biber makeindex kpsewhich mf mpost metapost luatex ptex uptex context texexec arara rubber " +
      "apachectl apache2 httpd lighttpd caddy haproxy squid unbound named dnsmasq dhclient dhcpcd wpa_supplicant hostapd nmcli connmanctl",
  },
  {
    // Some of their uses are harmless: see exact-uses.ts.
    reason: "writes files, or has options that name other programs and lists of files",
    names:
      "sort gsort split gsplit csplit diff diff3 rg ripgrep zgrep zdiff bzgrep xzgrep zcat gzip gunzip bzip2 xz zstd pdftotext pv shuf tee curl dig nslookup host",
  },
];

/** Why a path alone is not enough for this program; undefined when it is. */
export function findRunsOthers(program: FoundProgram): RunsOthers | undefined {
  for (const name of [basename(program.file), basename(program.foundAt), calledName(program)]) {
    for (const form of formsOf(name)) {
      const group = GROUPS.find(({ names }) => ` ${names} `.includes(` ${form} `));
      if (!group) continue;
      const { reason, kind } = group;
      return { name, reason, ...(kind ? { kind } : {}) };
    }
  }
  return undefined;
}

export function kindOfProgram(name: string): ProgramKind | undefined {
  return findRunsOthers({ file: name, foundAt: name, argv: [name] })?.kind;
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
