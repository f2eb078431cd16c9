//! Tests with programs that do not end. No process may be left behind.

use super::*;

async fn times_out(script: &str) -> (Stage, CallError) {
    let stage = Stage::new(&format!("echo $$ >> $PIDS\n{script}"));
    let failure = stage.ask(SHORT).await.unwrap_err();
    assert_eq!((failure.code, failure.retryable), (FailureCode::Timeout, true), "{script}");
    (stage, failure)
}

#[tokio::test]
async fn hanging_program_ends_at_the_deadline_in_any_state() {
    for script in [
        "sleep 60",
        "cat > /dev/null; sleep 60",
        "printf 'The first half'; sleep 60",
        "echo 'The whole answer.'; exec 1>&- 2>&-; sleep 60",
        "while :; do printf .; sleep 0.05; done",
    ] {
        let (stage, failure) = times_out(script).await;
        assert!(failure.message.contains("0.6 s"), "{failure}");
        assert_eq!(stage.alive().await, [""; 0], "{script}");
    }
}

#[tokio::test]
async fn error_output_before_the_deadline_is_reported() {
    let (_, failure) = times_out("echo 'retrying after 429' >&2; sleep 60").await;
    assert!(failure.message.contains("retrying after 429"), "{failure}");
}

#[tokio::test]
async fn program_that_ignores_sigterm_is_killed() {
    let (stage, _) = times_out("trap '' TERM; while :; do sleep 0.1; done").await;
    assert_eq!(stage.alive().await, [""; 0]);
}

#[tokio::test]
#[cfg(not(discussions_portable))]
async fn program_may_clean_up_at_the_deadline() {
    let (stage, _) = times_out("trap 'echo tidy > $PIDS.tidy; exit' TERM; sleep 60 & wait").await;
    assert!(stage.folder.path().join("pids.tidy").exists());
}

#[tokio::test]
#[cfg(not(discussions_portable))]
async fn background_grandchild_ends_with_the_group() {
    let (stage, _) = times_out("sleep 60 & echo $! >> $PIDS; wait").await;
    assert_eq!(stage.alive().await, [""; 0]);
}

/// A system without process groups cannot end a grandchild. The message says so, and the call still ends in time.
#[tokio::test]
#[cfg(discussions_portable)]
async fn grandchild_that_cannot_be_ended_is_reported() {
    let (stage, failure) = times_out("sleep 60 & echo $! > ${PIDS%pids}escaped; wait").await;
    assert_eq!(stage.alive().await, [""; 0], "the program itself has ended");
    let pid = fs::read_to_string(stage.folder.path().join("escaped")).unwrap().trim().to_owned();
    assert!(is_alive(&pid));
    std::process::Command::new("kill").arg(&pid).status().unwrap();
    let said = "programs that it started may still run: this system cannot end them";
    assert!(failure.message.contains(said), "{failure}");
}

#[tokio::test]
#[cfg(not(discussions_portable))]
async fn answer_does_not_wait_for_background_processes() {
    let script = "echo $$ >> $PIDS; sleep 60 & echo $! >> $PIDS; echo done";
    let stage = Stage::new(script);
    let reply = stage.ask(PATIENT).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.warnings.len()), ("done\n", 0));
    assert_eq!(stage.alive().await, [""; 0]);
}

#[tokio::test]
#[cfg(not(discussions_portable))]
async fn silent_background_process_is_ended() {
    let script = "echo $$ >> $PIDS; sleep 60 > /dev/null 2>&1 & echo $! >> $PIDS; echo done";
    let stage = Stage::new(script);
    stage.ask(PATIENT).await.unwrap();
    assert_eq!(stage.alive().await, [""; 0]);
}

/// Returns the number of the process that detached itself, after making sure that it has ended.
#[cfg(all(target_os = "linux", not(discussions_portable)))]
async fn detached_process_id(stage: &Stage) -> String {
    let pid = fs::read_to_string(stage.folder.path().join("escaped")).unwrap().trim().to_owned();
    fs::write(stage.folder.path().join("pids"), &pid).unwrap();
    assert_eq!(stage.alive().await, [""; 0]);
    pid
}

#[cfg(all(target_os = "linux", not(discussions_portable)))]
const ESCAPE: &str = "echo $$ >> $PIDS\n\
    setsid sh -c 'echo $$ > $PIDS.new; mv $PIDS.new ${PIDS%pids}escaped; exec sleep 30' &\n\
    while [ ! -e ${PIDS%pids}escaped ]; do sleep 0.02; done\n";

#[tokio::test]
#[cfg(all(target_os = "linux", not(discussions_portable)))]
async fn detached_process_is_ended_and_named_at_the_deadline() {
    let stage = Stage::new(&format!("{ESCAPE} sleep 60"));
    let failure = stage.ask(SHORT * 2).await.unwrap_err();
    assert_eq!(stage.alive().await, [""; 0]);
    let named = format!(
        "`sleep` (process {}) detached itself and was stopped",
        detached_process_id(&stage).await
    );
    assert_eq!(failure.code, FailureCode::Timeout);
    assert!(failure.message.contains(&named), "{failure}");
}

#[tokio::test]
#[cfg(all(target_os = "linux", not(discussions_portable)))]
async fn detached_process_is_ended_and_named_after_an_answer() {
    let stage = Stage::new(&format!("{ESCAPE} echo done"));
    let reply = stage.ask(PATIENT).await.unwrap();
    let named = format!(
        "`sleep` (process {}) detached itself and was stopped",
        detached_process_id(&stage).await
    );
    assert_eq!((reply.text.as_str(), reply.warnings), ("done\n", vec![named]));
}

#[tokio::test]
#[cfg(all(target_os = "linux", not(discussions_portable)))]
async fn detached_process_without_the_mark_is_left_and_named() {
    let unmarked = ESCAPE.replace("setsid sh", "env -u DISCUSSIONS_CALL setsid sh");
    assert_ne!(unmarked, ESCAPE);
    let stage = Stage::new(&format!("{unmarked} echo done"));
    let reply = stage.ask(PATIENT).await.unwrap();
    let pid = fs::read_to_string(stage.folder.path().join("escaped")).unwrap().trim().to_owned();
    let named = format!("`sleep` (process {pid}) detached itself, keeps the output open");
    assert!(is_alive(&pid));
    std::process::Command::new("kill").arg(&pid).status().unwrap();
    assert!(reply.warnings.concat().contains(&named), "{reply:?}");
}

#[tokio::test]
#[cfg(not(discussions_portable))]
async fn dropping_the_call_ends_the_group() {
    let stage = Stage::new(
        "echo $$ >> $PIDS; sleep 60 & echo $! >> $PIDS.more; mv $PIDS.more $PIDS.both; wait",
    );
    let started = async {
        while !stage.folder.path().join("pids.both").exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        result = stage.provider.call(stage.request("", PATIENT)) => panic!("ended: {result:?}"),
        () = started => {}
    }
    fs::copy(stage.folder.path().join("pids.both"), stage.folder.path().join("grandchild"))
        .unwrap();
    assert_eq!(stage.alive().await, [""; 0]);
    let grandchild = fs::read_to_string(stage.folder.path().join("grandchild")).unwrap();
    fs::write(stage.folder.path().join("pids"), grandchild).unwrap();
    assert_eq!(stage.alive().await, [""; 0]);
}

#[tokio::test]
#[cfg(all(target_os = "linux", not(discussions_portable)))]
async fn detached_process_that_closed_its_output_is_ended_and_named() {
    let silent = ESCAPE.replace("sleep 30' &", "sleep 30' > /dev/null 2>&1 &");
    assert_ne!(silent, ESCAPE);
    let stage = Stage::new(&format!("{silent} echo done"));
    let reply = stage.ask(PATIENT).await.unwrap();
    let named = format!(
        "`sleep` (process {}) detached itself and was stopped",
        detached_process_id(&stage).await
    );
    assert!(reply.warnings.concat().contains(&named), "{reply:?}");
    let stage = Stage::new(&format!("{silent} sleep 60"));
    let failure = stage.ask(SHORT * 2).await.unwrap_err();
    let named = format!("process {}", detached_process_id(&stage).await);
    assert!(failure.message.contains(&named), "{failure}");
}
