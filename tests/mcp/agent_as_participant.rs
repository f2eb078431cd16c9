//! The calling agent as a participant: it is asked first, sees no answer before its own, and costs nothing. Also
//! questions to people behind the client.

use serde_json::{Value, json};

use super::client::{Agent, BOTH, Lifecycle, Listener, text};
use crate::cli::Scenario;

#[tokio::test]
async fn agent_as_participant_takes_part_in_a_debate() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Ship it?", "pattern": "debate", "participants": ["me", "security"], "provider": "mock"});
    let mut told = agent.call_json("discuss", asked).await;
    let file = "discussions/ship-it.md";
    let mut asked = Vec::new();
    while told["state"] == "your_turn" {
        assert_eq!(told["as"], "agent");
        let prompt = told["prompt"].as_str().unwrap();
        assert!(prompt.contains("You are agent (@agent)"), "{prompt}");
        // No participant has answered in this turn, so there is nothing to see.
        let text = scenario.read(file);
        let (_, turn) = text.rsplit_once("<!-- TURN: ").unwrap();
        assert!(!turn.contains("Name: "), "{turn}");
        asked.push(told["phase"].as_str().unwrap().to_owned());
        let said = json!({"discussion": file, "text": format!("My argument {}.", asked.len())});
        assert_eq!(agent.call_json("say", said).await["state"], "recorded");
        told = agent.call_json("continue", json!({"discussion": file, "provider": "mock"})).await;
    }
    assert_eq!(asked, ["Opening statements", "Rebuttals"]);
    assert_eq!(told["state"], "done", "{told:#}");
    let text = scenario.read(file);
    assert_eq!(text.matches("Name: agent").count(), 2, "{text}");
    assert!(text.contains("\nagents: [agent]\n"), "it is neither persona nor person: {text}");
    assert!(text.contains("My argument 2."), "{text}");
}

#[tokio::test]
async fn blind_answers_are_hidden_from_the_agent_until_it_answers() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Ship it?", "pattern": "synthesis", "participants": ["me", "security"],
        "provider": "mock"});
    assert_eq!(agent.call_json("discuss", asked).await["state"], "your_turn");
    // A user at a terminal continues without waiting.
    scenario.discussions(&["turn", "ship-it", "--provider", "mock"]);
    assert!(scenario.read("discussions/ship-it.md").contains("Name: AI-Security"));
    let shown = agent.call_json("show", json!({"discussion": "ship-it", "since": 0})).await;
    assert_eq!(
        (&shown["state"], &shown["soFar"]),
        (&json!("your_turn"), &Value::Null),
        "{shown:#}"
    );
    assert!(!shown["prompt"].as_str().unwrap().contains("===== AI-Security"), "{shown:#}");
    let uri = "discussion:///ship-it";
    let read = agent
        .client()
        .read_resource(rmcp::model::ReadResourceRequestParams::new(uri))
        .await
        .unwrap();
    assert!(!format!("{read:?}").contains("AI-Security\\n"), "{read:?}");
    agent.call_json("say", json!({"discussion": "ship-it", "text": "Mine."})).await;
    let shown = agent.call_json("show", json!({"discussion": "ship-it", "since": 0})).await;
    assert_eq!(shown["soFar"].as_array().map(Vec::len), Some(2), "{shown:#}");
}

#[tokio::test]
async fn agent_votes_only_as_a_participant() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    scenario.discussions(&["new", "Caching"]).code(0);
    for said in [json!({"vote": "READY"}), json!({"text": "VOTE: READY"})] {
        let mut said = said;
        said["discussion"] = "caching".into();
        let refused = agent.call("say", said).await;
        assert_eq!(refused.is_error, Some(true));
        assert!(
            text(&refused).contains("you can vote only as participant `me`"),
            "{}",
            text(&refused)
        );
    }
    let asked = json!({"topic": "Which?", "pattern": "voting", "participants": ["me", "security", "architect"],
        "options": ["Redis", "NATS"], "provider": "mock"});
    let mut told = agent.call_json("discuss", asked).await;
    let mut votes = 0;
    while told["state"] == "your_turn" {
        let mut said = json!({"discussion": "which", "text": "Redis, for we have it."});
        if told["options"].as_array().is_some_and(|options| options.contains(&"Redis".into())) {
            (said["vote"], votes) = ("Redis".into(), votes + 1);
        }
        assert_eq!(agent.call_json("say", said).await["state"], "recorded");
        told =
            agent.call_json("continue", json!({"discussion": "which", "provider": "mock"})).await;
    }
    assert!(votes > 0 && told["state"] == "done", "{told:#}");
    assert!(scenario.read("discussions/which.md").contains("VOTE: Redis"));
}

#[tokio::test]
async fn comment_of_an_agent_does_not_count_as_a_person() {
    let template = "---\nid: own\ntitle: Own\nsummary: own\nphases:\n  \
        - {id: talk, instructions: Talk., waits_for_people: true}\n---\n# {{ title }}\n\n---\n";
    let scenario = Scenario::new()
        .file("templates/own.md", template)
        .file("discussions.yaml", "author: Rob\n");
    let asks = "<!-- DISCUSSION\ntemplate: own\nparticipants: [security, architect]\n-->\n\n# When?\n\n---\n\n\
        <!-- TURN: 1, asks: [security, architect], at: 2026-11-20T10:00:00Z -->\n\n---\n\nName: AI-Security\n\
        <!-- REPLY turn: 1, at: 2026-11-20T10:00:12Z, provider: mock, ms: 12 -->\n\nQ: Which month? @rob\n\n---\n";
    scenario.write("discussions/when.md", asks.as_bytes());
    let agent = Agent::of(&scenario, &[]).await;
    let go_on = || agent.call_json("continue", json!({"discussion": "when", "provider": "mock"}));
    assert_eq!(go_on().await["state"], "people");
    let said = json!({"discussion": "when", "text": "A: Q1 in May, I would say."});
    assert_eq!(agent.call_json("say", said).await["state"], "recorded");
    assert_eq!(go_on().await["state"], "people", "a person was asked");
    let status = scenario.discussions(&["status", "when", "--json"]).code(0).json();
    let one = status["participants"].as_array().unwrap().iter().find(|one| one["name"] == "agent");
    assert_eq!(one.unwrap()["type"], "agent", "{status:#}");
    scenario.discussions(&["comment", "when", "A: Q1 in June."]).code(0);
    assert_eq!(go_on().await["state"], "done");
}

#[tokio::test]
async fn agent_is_refused_if_a_person_with_its_name_takes_part() {
    let scenario = Scenario::new().file("discussions.yaml", "author: Rob\n");
    let seated = "<!-- DISCUSSION\ntemplate: feature\nparticipants: [agent, security]\n-->\n\n# When?\n\n---\n";
    scenario.write("discussions/when.md", seated.as_bytes());
    let agent = Agent::of(&scenario, &[]).await;
    let refused = agent.call("say", json!({"discussion": "when", "text": "In May."})).await;
    assert_eq!(refused.is_error, Some(true));
    assert!(text(&refused).contains("a person named `agent` takes part here"), "{refused:?}");
    assert_eq!(scenario.read("discussions/when.md"), seated);
}

#[tokio::test]
async fn agent_does_not_satisfy_human_required() {
    is_no_person(Scenario::new()).await;
}

#[tokio::test]
async fn project_file_cannot_make_the_agent_a_person() {
    let human = "name: Agent\nalias: agent\ntype: human\n";
    is_no_person(Scenario::new().file("participants/agent.yaml", human)).await;
}

/// The agent's vote counts, and the run still waits for a person.
async fn is_no_person(scenario: Scenario) {
    let template = "---\nid: own\ntitle: Own\nsummary: own\n\
        consensus: {method: majority, human_required: true}\nphases:\n  \
        - {id: ballot, instructions: Vote., voting_mode: true, options: [Redis, NATS], asks: {VOTE: required}}\n\
        ---\n# {{ title }}\n\n---\n";
    let scenario =
        scenario.file("templates/own.md", template).file("discussions.yaml", "author: Rob\n");
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Which?", "pattern": "own", "participants": ["me", "security", "architect"],
        "provider": "mock"});
    let mut told = agent.call_json("discuss", asked).await;
    while told["state"] == "your_turn" {
        let mut said = json!({"discussion": "which", "text": "Redis, for we have it."});
        if told["options"].as_array().is_some_and(|options| !options.is_empty()) {
            said["vote"] = "Redis".into();
        }
        assert_eq!(agent.call_json("say", said).await["state"], "recorded");
        told =
            agent.call_json("continue", json!({"discussion": "which", "provider": "mock"})).await;
    }
    assert_eq!(told["state"], "people", "{told:#}");
    scenario.discussions(&["vote", "which", "Redis", "--as", "Mia"]).code(0);
    let told =
        agent.call_json("continue", json!({"discussion": "which", "provider": "mock"})).await;
    assert_eq!((&told["consensus"], &told["decision"]), (&true.into(), &"Redis".into()));
}

#[tokio::test]
async fn person_is_asked_through_the_client_and_never_waited_for() {
    let template = "---\nid: own\ntitle: Own\nsummary: own\nphases:\n  - {id: talk, instructions: Talk.}\n---\n# {{ title }}\n\n---\n";
    let answers = [(Some("Ship it on Monday."), "done"), (Some(""), "people"), (None, "people")];
    for (lifecycle, (answer, state)) in BOTH.into_iter().flat_map(|it| answers.map(|one| (it, one)))
    {
        let scenario = Scenario::new()
            .file("templates/own.md", template)
            .file("discussions.yaml", "author: Rob\n");
        let listener = Listener { answer, ..Listener::default() };
        let agent = Agent::begun(&scenario, &[], lifecycle, listener).await;
        let seated = "<!-- DISCUSSION\ntemplate: own\nparticipants: [rob, security]\n-->\n\n# When?\n\n---\n";
        scenario.write("discussions/when.md", seated.as_bytes());
        let told =
            agent.call_json("continue", json!({"discussion": "when", "provider": "mock"})).await;
        assert_eq!(told["state"], state, "{told:#}");
        assert_eq!(scenario.read("discussions/when.md").contains("on Monday"), state == "done");
        let asked =
            agent.told.lock().unwrap().iter().filter(|line| line.starts_with("a person")).count();
        assert_eq!(asked, usize::from(answer.is_some()));
        if state == "people" {
            assert!(
                told["next"][0].as_str().unwrap().contains("a person must answer as rob"),
                "{told:#}"
            );
        }
    }
}

#[tokio::test]
async fn question_in_a_result_is_answered_once_without_a_new_discussion() {
    use rmcp::model::{CallToolRequestParams, CallToolResponse};

    let template = "---\nid: own\ntitle: Own\nsummary: own\nphases:\n  - {id: talk, instructions: Talk., waits_for_people: true}\n---\n# {{ title }}\n\n---\n";
    let scenario = Scenario::new()
        .file("templates/own.md", template)
        .file("discussions.yaml", "author: Rob\n")
        .file("providers.yaml", "providers: [{name: asks, script: asks.yaml}]\n")
        .file("asks.yaml", "answers:\n  - {text: \"Q: which month? @rob\"}\n");
    let listener = Listener { answer: Some("A: Q1 in May."), ..Listener::default() };
    let agent = Agent::begun(&scenario, &[], Lifecycle::Discover, listener).await;
    let Value::Object(arguments) = json!({"topic": "When?", "pattern": "own", "participants": ["security", "architect"],
        "provider": "asks"})
    else {
        unreachable!()
    };
    let request = CallToolRequestParams::new("discuss").with_arguments(arguments);
    let Ok(CallToolResponse::InputRequired(asked)) =
        agent.client().call_tool_once(request.clone()).await
    else {
        panic!("a person is asked")
    };
    let asks = serde_json::to_value(&asked).unwrap();
    let question = &asks["inputRequests"]["question"];
    assert_eq!(question["method"], "elicitation/create", "{asks:#}");
    assert!(question["params"]["message"].as_str().unwrap().contains("which month?"), "{asks:#}");
    let reply = json!({"action": "accept", "content": {"answer": "A: Q1 in May."}});
    let mut again =
        request.with_input_responses([("question".to_owned(), reply)].into_iter().collect());
    again.request_state = asked.request_state;
    let Ok(CallToolResponse::Complete(told)) = agent.client().call_tool_once(again.clone()).await
    else {
        panic!("it goes on")
    };
    let told = told.structured_content.unwrap();
    assert_eq!(told["file"], "discussions/when.md", "{told:#}");
    let text = scenario.read("discussions/when.md");
    assert_eq!(text.matches("Name: Rob").count() + text.matches("Name: rob").count(), 1, "{text}");
    assert!(!scenario.path("discussions/when-2.md").exists());
    // A repeated answer, and an answer to an unknown question, write nothing.
    for handle in [again.request_state.clone().unwrap(), "question-77".to_owned()] {
        let mut more = again.clone();
        more.request_state = Some(handle);
        let Ok(CallToolResponse::Complete(refused)) = agent.client().call_tool_once(more).await
        else {
            panic!("it is refused")
        };
        assert_eq!(refused.is_error, Some(true));
    }
    assert_eq!(scenario.read("discussions/when.md"), text);
}

#[tokio::test]
async fn server_started_by_a_model_does_not_write_for_a_person() {
    let template = "---\nid: own\ntitle: Own\nsummary: own\nphases:\n  - {id: talk, instructions: Talk.}\n---\n# {{ title }}\n\n---\n";
    for lifecycle in BOTH {
        let scenario = Scenario::new()
            .env("DISCUSSIONS_PARTICIPANT", "architect")
            .file("templates/own.md", template)
            .file("discussions.yaml", "author: Rob\n");
        let listener = Listener { answer: Some("Ship it on Monday."), ..Listener::default() };
        let agent = Agent::begun(&scenario, &[], lifecycle, listener).await;
        let seated = "<!-- DISCUSSION\ntemplate: own\nparticipants: [rob, security]\n-->\n\n# When?\n\n---\n";
        scenario.write("discussions/when.md", seated.as_bytes());
        let told =
            agent.call_json("continue", json!({"discussion": "when", "provider": "mock"})).await;
        assert_eq!(told["state"], "people", "{told:#}");
        let text = scenario.read("discussions/when.md");
        assert!(!text.contains("on Monday") && !text.contains("Name: Rob"), "{text}");
        // The agent's own text does not count as a person's.
        let said = json!({"discussion": "when", "text": "In May."});
        assert_eq!(agent.call_json("say", said).await["state"], "recorded");
        assert!(scenario.read("discussions/when.md").contains("Name: agent"));
    }
}
