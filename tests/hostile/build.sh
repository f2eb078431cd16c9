#!/bin/sh
# Makes the hostile project ./clone from ./seed (a.md and a journal that names a block it lacks). Whatever git runs there,
# fetches or believes calls the canary.
#   build.sh KIND CANARY
set -eu
kind=$1 canary=$2
case $kind in *-ssh) url=ssh://x@localhost.invalid/y ;; *) url="ext::sh -c $canary" ;; esac

# config FILE WORKTREE: every setting that names a command or another place.
config() {
  {
    printf '[core]\n repositoryFormatVersion = 1\n bare = false\n'
    if [ -n "$2" ]; then printf ' worktree = %s\n' "$2"; fi
    for key in fsmonitor sshCommand askPass gitProxy pager editor alternateRefsCommand; do echo " $key = $canary"; done
    printf ' hooksPath = %s\n' "$PWD/hooks"
    printf '[extensions]\n partialClone = origin\n'
    printf '[remote "origin"]\n url = %s\n promisor = true\n uploadpack = %s\n' "$url" "$canary"
    printf '[protocol]\n allow = always\n[protocol "ext"]\n allow = always\n'
    printf '[credential]\n helper = !%s\n' "$canary"
    printf '[user]\n name = Evil\n email = evil@example.org\n'
    printf '[log]\n showSignature = true\n[gpg]\n program = %s\n' "$canary"
    printf '[diff]\n external = %s\n[diff "evil"]\n textconv = %s\n command = %s\n' "$canary" "$canary" "$canary"
    printf '[filter "evil"]\n clean = %s\n smudge = %s\n process = %s\n required = true\n' "$canary" "$canary" "$canary"
    printf '[merge "evil"]\n driver = %s\n' "$canary"
    for verb in cat-file check-attr config log ls-files rev-list rev-parse; do
      printf '[alias]\n %s = !%s\n[pager]\n %s = %s\n' "$verb" "$canary" "$verb" "$canary"
    done
    printf '[include]\n path = included\n'
  } >"$1/config"
  printf '[user]\n name = Evil\n' >"$1/included"
}

# gits FOLDER PATH: a repository of git's own files, whose one signed commit holds PATH, and whose blobs are gone.
gits() {
  git init -q made
  mkdir -p "made/$(dirname "$2")"
  cp seed/a.md "made/$2"
  git -C made add -A
  git -C made commit -q -m one
  { git -C made cat-file commit HEAD | sed '/^$/,$d'; printf 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\none\n'; } >signed
  git -C made reset -q "$(git -C made hash-object -t commit -w --stdin <signed)"
  blob=$(git -C made rev-parse "HEAD:$2")
  rm -f "made/.git/objects/$(echo "$blob" | cut -c1-2)/$(echo "$blob" | cut -c3-)" signed
  mkdir -p "$1"
  cp -R made/.git/. "$1"
  rm -rf made "$1/hooks"
  touch "$1/refs/kept"
}

# files FOLDER: the discussion and its journal.
files() {
  mkdir -p "$1/.discussions"
  cp seed/a.md "$1/a.md"
  cp seed/journal "$1/.discussions/a.md.journal"
}

# published FOLDER: everything in it as somebody clones it.
published() {
  git -C "$1" init -q
  git -C "$1" add -A -f
  git -C "$1" commit -q -m all
}

mkdir hooks
for hook in pre-commit post-checkout post-index-change reference-transaction; do cp "$canary" "hooks/$hook"; done

case $kind in
  plain)
    files outer/discussions
    published outer
    git clone -q outer clone
    ;;
  bare-*)
    gits outer/discussions a.md
    config outer/discussions .
    files outer/discussions
    rm -f outer/discussions/index
    published outer
    git clone -q outer clone
    ;;
  above-*) # the embedded repository claims the working tree around it
    gits outer/discussions discussions/a.md
    config outer/discussions ..
    files outer/discussions
    rm -f outer/discussions/index
    published outer
    git clone -q outer clone
    ;;
  submodule-*)
    gits inner a.md
    config inner .
    files inner
    published inner
    git init -q outer
    git -C outer -c protocol.file.allow=always submodule --quiet add "$PWD/inner" discussions
    git -C outer commit -q -m all
    git -c protocol.file.allow=always clone -q --recurse-submodules outer clone
    ;;
  file-*) # an archive with a file named .git
    gits clone/evil a.md
    config clone/evil ../discussions
    files clone/discussions
    echo 'gitdir: ../evil' >clone/discussions/.git
    ;;
  worktree-*)
    gits clone/evil a.md
    config clone/evil ''
    files clone/discussions
    mkdir -p clone/evil/worktrees/w
    cp clone/evil/HEAD clone/evil/worktrees/w
    echo ../.. >clone/evil/worktrees/w/commondir
    echo ../../../discussions/.git >clone/evil/worktrees/w/gitdir
    echo 'gitdir: ../evil/worktrees/w' >clone/discussions/.git
    ;;
  alternates-*)
    gits clone/.git discussions/a.md
    config clone/.git ''
    files clone/discussions
    mv clone/.git/objects clone/objects
    mkdir -p clone/.git/objects/info
    echo ../../objects >clone/.git/objects/info/alternates
    ;;
  attributes-*)
    gits clone/.git discussions/a.md
    config clone/.git ''
    files clone/discussions
    echo '* filter=evil diff=evil merge=evil text' >clone/.gitattributes
    ;;
  hooks-*)
    gits clone/.git discussions/a.md
    config clone/.git ''
    files clone/discussions
    cp -R hooks clone/.git/hooks
    ;;
esac
