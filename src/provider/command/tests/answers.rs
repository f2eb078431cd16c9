//! Tests with programs that work as they should.

use std::sync::Mutex;

use super::*;

#[tokio::test]
async fn prompt_is_written_and_the_answer_read() {
    let reply = Stage::new("cat; echo decoration >&2").ask(PATIENT).await.unwrap();
    assert_eq!(reply, Reply { text: "the prompt\n".to_owned(), ..Reply::default() });
}

#[tokio::test]
async fn large_prompt_and_large_answer_do_not_block_each_other() {
    let stage = Stage::with("cat", "output_limit: 4000000");
    let prompt = "all work and no play\n".repeat(100_000);
    let reply = stage.provider.call(stage.request(&prompt, PATIENT)).await.unwrap();
    assert_eq!(reply.text, prompt);
}

#[tokio::test]
async fn program_may_write_before_it_reads() {
    let script = "head -c 900000 /dev/zero | tr '\\0' x; cat > /dev/null";
    let stage = Stage::new(script);
    let prompt = "y".repeat(1_000_000);
    let reply = stage.provider.call(stage.request(&prompt, PATIENT)).await.unwrap();
    assert_eq!(reply.text.len(), 900_000);
}

#[tokio::test]
async fn program_need_not_read_its_prompt() {
    for script in ["echo fine", "exec 0<&-; echo fine", "head -c 3 >/dev/null; echo fine"] {
        let stage = Stage::new(script);
        let prompt = "y".repeat(1_000_000);
        let reply = stage.provider.call(stage.request(&prompt, PATIENT)).await.unwrap();
        assert_eq!(reply.text, "fine\n", "{script}");
    }
}

#[tokio::test]
async fn program_receives_participant_phase_and_file() {
    let script = "echo $DISCUSSIONS_PARTICIPANT $DISCUSSIONS_PHASE $DISCUSSIONS_TURN \
                  $DISCUSSIONS_FILE $DISCUSSIONS_TEMPERATURE $EXTRA [$CARGO_MANIFEST_DIR]";
    let reply = Stage::with(script, "env: {EXTRA: more}").ask(PATIENT).await.unwrap();
    assert_eq!(reply.text, "architect review 3 /some/where.md 0.5 more []\n");
}

#[tokio::test]
async fn program_runs_in_an_empty_folder_that_is_removed() {
    let stage = Stage::new("pwd; ls | wc -l; touch litter");
    let reply = stage.ask(PATIENT).await.unwrap();
    let (folder, count) = reply.text.trim().split_once('\n').unwrap();
    assert_eq!(count.trim(), "0");
    assert!(!PathBuf::from(folder).exists());
    assert_eq!(fs::read_dir(stage.folder.path().join("temp/temporary")).unwrap().count(), 0);
}

#[tokio::test]
async fn program_runs_in_the_project_if_its_definition_says_so() {
    let stage = Stage::with("pwd", "workdir: project");
    let reply = stage.ask(PATIENT).await.unwrap();
    let project = stage.folder.path().join("project").canonicalize().unwrap();
    assert_eq!(reply.text.trim(), project.to_str().unwrap());
}

#[tokio::test]
async fn text_is_reported_as_it_arrives_in_whole_characters() {
    let stage = Stage::new("printf 'zo\\303'; printf '\\253 \\033[1mbold'; echo .");
    let told = Mutex::new(String::new());
    let listen = |piece: &str| told.lock().unwrap().push_str(piece);
    let request = Request { on_text: Some(&listen), ..stage.request("", PATIENT) };
    let reply = stage.provider.call(request).await.unwrap();
    assert_eq!(*told.lock().unwrap(), "zoë bold.\n");
    assert_eq!(reply.text, "zoë bold.\n");
}

#[tokio::test]
async fn slow_output_is_read_to_its_end() {
    let script = "for i in 1 2 3 4 5; do printf $i; sleep 0.05; done";
    assert_eq!(Stage::new(script).ask(PATIENT).await.unwrap().text, "12345");
}

#[tokio::test]
async fn json_is_parsed_and_not_reported_in_pieces() {
    let script = r#"echo '{"result": "Hi", "in": 12, "out": 3, "usd": 0.5, "model": "m-1"}'"#;
    let keys = "output: {format: json, text: /result, usd: /usd, model: /model,\
                usage: {input: /in, output: /out}}";
    let stage = Stage::with(script, keys);
    let listen = |piece: &str| panic!("was told {piece}");
    let request = Request { on_text: Some(&listen), ..stage.request("", PATIENT) };
    let reply = stage.provider.call(request).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.usd), ("Hi", 0.5.into()));
    assert_eq!(reply.model.as_deref(), Some("m-1"));
    assert_eq!(reply.usage.map(|usage| (usage.input_tokens, usage.output_tokens)), Some((12, 3)));
}

#[tokio::test]
async fn invalid_utf_8_and_terminal_codes_give_warnings() {
    let reply =
        Stage::new("printf 'a\\377b\\000c \\033[31mred\\033[0m\\n'").ask(PATIENT).await.unwrap();
    assert_eq!(reply.text, "a\u{FFFD}bc red\n");
    assert_eq!(reply.warnings.len(), 2, "{:?}", reply.warnings);
}

#[tokio::test]
async fn both_parts_of_a_prompt_arrive_complete_and_in_order() {
    let stage = Stage::new("cat");
    // Both parts are larger than a pipe buffer, so that neither is written at once.
    let (prefix, tail) = ("record\n".repeat(30_000), "task\n".repeat(30_000));
    for (prefix, tail) in [(prefix.as_str(), tail.as_str()), (prefix.as_str(), ""), ("", &*tail)] {
        let request = Request { prefix: prefix.into(), ..stage.request(tail, PATIENT) };
        let whole = request.prompt();
        let reply = stage.provider.call(request).await.unwrap();
        assert!(reply.text.trim_end() == whole.trim_end(), "{} bytes came back", reply.text.len());
    }
}
