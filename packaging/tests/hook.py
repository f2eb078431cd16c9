"""The hook for pre-commit, run by the real pre-commit."""

import shutil
from pathlib import Path

from parts.project import ROOT

from .checks import Context, check, find, link_programs, test


@test("pre-commit: passes a discussion, and stops the commit that loses a comment")
def hook_finds_a_lost_comment(context: Context) -> None:
    pre_commit, git = find("pre-commit", "pre-commit of packaging/requirements.txt"), find("git", "git")
    path = [
        link_programs(context.new_folder("program"), {"discussions": context.program}),
        Path(pre_commit).parent,
        *map(Path, ("/usr/local/bin", "/usr/bin", "/bin")),
    ]
    who = {
        "GIT_AUTHOR_NAME": "Ann",
        "GIT_AUTHOR_EMAIL": "ann@example.org",
        "GIT_COMMITTER_NAME": "Ann",
        "GIT_COMMITTER_EMAIL": "ann@example.org",
    }

    def run(folder: Path, *command: object) -> object:
        return context.run(list(command), cwd=folder, path=path, PRE_COMMIT_HOME=context.folder / "pre-commit", **who)

    # The hook is tried from a repository with nothing else: pre-commit would copy all of this one.
    hooks = context.new_folder("hooks")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    project = context.new_folder("project")
    run(project, "discussions", "new", "Caching", "--run", "--provider", "mock").succeeded()
    for folder in (hooks, project):
        run(folder, git, "init", "--quiet").succeeded()
        run(folder, git, "add", ".").succeeded()
        run(folder, git, "commit", "--quiet", "-m", "Begin").succeeded()

    attempt = ("pre-commit", "try-repo", hooks, "discussions-check", "--all-files")
    done = run(project, *attempt).succeeded()
    check("Passed" in done.out, done.out)

    file = project / "discussions" / "caching.md"
    comments = file.read_text().split("\n---\n")
    file.write_text("\n---\n".join(comments[:2] + comments[3:]))
    run(project, git, "add", ".").succeeded()
    done = run(project, *attempt).ended(1)
    check("Failed" in done.out and "exit code: 1" in done.out, done.out)
