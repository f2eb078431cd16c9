//! Resources and prompts.

use rmcp::model::{GetPromptRequestParams, ReadResourceRequestParams};
use serde_json::{Value, json};

use super::client::{Agent, BOTH, Listener};
use crate::cli::Scenario;

#[tokio::test]
async fn discussions_are_resources_and_patterns_are_prompts_in_both_lifecycles() {
    for lifecycle in BOTH {
        let scenario = Scenario::with_discussion();
        let agent = Agent::begun(&scenario, &[], lifecycle, Listener::default()).await;
        let client = agent.client();
        let resources = client.list_all_resources().await.unwrap();
        assert_eq!(resources[0].uri, "discussion:///caching");
        assert_eq!(client.list_all_resource_templates().await.unwrap().len(), 2);
        let read = |uri: &'static str| client.read_resource(ReadResourceRequestParams::new(uri));
        let file = serde_json::to_value(read("discussion:///caching").await.unwrap()).unwrap();
        assert_eq!(file["contents"][0]["mimeType"], "text/markdown");
        assert_eq!(file["contents"][0]["text"], scenario.read("discussions/caching.md"));
        let result =
            serde_json::to_value(read("discussion:///caching/result").await.unwrap()).unwrap();
        let result: Value =
            serde_json::from_str(result["contents"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(result["title"], "Caching");
        assert!(read("discussion:///nothing").await.is_err());
        assert!(read("file:///etc/passwd").await.is_err());
        let prompts = client.list_all_prompts().await.unwrap();
        assert!(prompts.iter().any(|prompt| prompt.name == "debate"));
        let Value::Object(arguments) = json!({"topic": "Ship it?"}) else { unreachable!() };
        let asked = GetPromptRequestParams::new("debate").with_arguments(arguments);
        let told = serde_json::to_string(&client.get_prompt(asked).await.unwrap()).unwrap();
        assert!(told.contains("pattern `debate`") && told.contains("Ship it?"), "{told}");
        assert!(client.get_prompt(GetPromptRequestParams::new("nothing")).await.is_err());
        assert!(client.get_prompt(GetPromptRequestParams::new("debate")).await.is_err());
    }
}
