//! Recorded responses of real services; the texts are ours.

/// OpenAI's chat completions.
pub(crate) const CHAT: &str = r#"data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1763000000,"model":"gpt-5.6-2026-09-01","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}],"usage":null}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1763000000,"model":"gpt-5.6-2026-09-01","choices":[{"index":0,"delta":{"content":"Café "},"finish_reason":null}],"usage":null}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1763000000,"model":"gpt-5.6-2026-09-01","choices":[{"index":0,"delta":{"content":"first."},"finish_reason":null}],"usage":null}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1763000000,"model":"gpt-5.6-2026-09-01","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1763000000,"model":"gpt-5.6-2026-09-01","choices":[],"usage":{"prompt_tokens":5120,"completion_tokens":410,"total_tokens":5530,"prompt_tokens_details":{"cached_tokens":4800,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":300,"audio_tokens":0}}}

data: [DONE]

"#;

/// Chat completions of models that think aloud (DeepSeek, Qwen, GLM).
pub(crate) const THINKING: &str = r#"data: {"id":"1","object":"chat.completion.chunk","model":"deepseek-flash","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":"Let me see."},"finish_reason":null}]}

data: {"id":"1","object":"chat.completion.chunk","model":"deepseek-flash","choices":[{"index":0,"delta":{"content":"Café first.","reasoning_content":null},"finish_reason":null}]}

data: {"id":"1","object":"chat.completion.chunk","model":"deepseek-flash","choices":[{"index":0,"delta":{"content":"","reasoning_content":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":5120,"completion_tokens":410,"total_tokens":5530,"prompt_cache_hit_tokens":4800,"prompt_cache_miss_tokens":320}}

data: [DONE]

"#;

/// xAI, which counts thinking only in the total.
pub(crate) const GROK: &str = r#"data: {"id":"1","object":"chat.completion.chunk","model":"grok-4","choices":[{"index":0,"delta":{"content":"Café first.","role":"assistant"}}]}

data: {"id":"1","object":"chat.completion.chunk","model":"grok-4","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":5120,"completion_tokens":110,"total_tokens":5530,"prompt_tokens_details":{"cached_tokens":4800},"completion_tokens_details":{"reasoning_tokens":300}}}

data: [DONE]

"#;

/// Mistral's thinking models send lists.
pub(crate) const MISTRAL: &str = r#"data: {"id":"1","object":"chat.completion.chunk","model":"mistral-large-latest","choices":[{"index":0,"delta":{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}]},"finish_reason":null}]}

data: {"id":"1","object":"chat.completion.chunk","model":"mistral-large-latest","choices":[{"index":0,"delta":{"content":[{"type":"text","text":"Café "}]},"finish_reason":null}]}

data: {"id":"1","object":"chat.completion.chunk","model":"mistral-large-latest","choices":[{"index":0,"delta":{"content":"first."},"finish_reason":"stop"}],"usage":{"prompt_tokens":5120,"total_tokens":5530,"completion_tokens":410,"prompt_tokens_details":{"cached_tokens":4800}}}

data: [DONE]

"#;

/// Groq reports tokens in a field of its own.
pub(crate) const GROQ: &str = r#"data: {"id":"1","object":"chat.completion.chunk","model":"openai/gpt-oss-120b","choices":[{"index":0,"delta":{"role":"assistant","content":"Café first."},"finish_reason":null}],"x_groq":{"id":"req_1"}}

data: {"id":"1","object":"chat.completion.chunk","model":"openai/gpt-oss-120b","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"req_1","usage":{"queue_time":0.01,"prompt_tokens":5120,"completion_tokens":410,"total_tokens":5530,"prompt_tokens_details":{"cached_tokens":4800}}}}

data: [DONE]

"#;

/// OpenRouter keeps the connection open with comments and reports the cost.
pub(crate) const OPENROUTER: &str = r#": OPENROUTER PROCESSING

: OPENROUTER PROCESSING

data: {"id":"gen-1","provider":"DeepSeek","model":"deepseek/deepseek-chat","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"Café first."},"finish_reason":null,"native_finish_reason":null}]}

data: {"id":"gen-1","provider":"DeepSeek","model":"deepseek/deepseek-chat","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop","native_finish_reason":"stop"}]}

data: {"id":"gen-1","provider":"DeepSeek","model":"deepseek/deepseek-chat","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":{"prompt_tokens":5120,"completion_tokens":410,"total_tokens":5530,"cost":0.0042,"prompt_tokens_details":{"cached_tokens":4800}}}

data: [DONE]

"#;

/// OpenAI's responses.
pub(crate) const RESPONSES: &str = r#"event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"gpt-5.6-2026-09-01","output":[],"error":null,"usage":null}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":1,"content_index":0,"delta":"Café "}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":5,"item_id":"msg_1","output_index":1,"content_index":0,"delta":"first."}

event: response.output_text.done
data: {"type":"response.output_text.done","sequence_number":6,"item_id":"msg_1","output_index":1,"content_index":0,"text":"Café first."}

event: response.completed
data: {"type":"response.completed","sequence_number":7,"response":{"id":"resp_1","object":"response","status":"completed","model":"gpt-5.6-2026-09-01","error":null,"usage":{"input_tokens":5120,"input_tokens_details":{"cached_tokens":4800},"output_tokens":410,"output_tokens_details":{"reasoning_tokens":300},"total_tokens":5530}}}

"#;

/// Anthropic's messages.
pub(crate) const MESSAGES: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-5-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":20,"cache_creation_input_tokens":300,"cache_read_input_tokens":4800,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me see."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: ping
data: {"type":"ping"}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Café "}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"first."}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":410}}

event: message_stop
data: {"type":"message_stop"}

"#;

/// Google's Gemini API.
pub(crate) const GEMINI: &str = r#"data: {"candidates":[{"content":{"parts":[{"text":"Let me see.","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":5120,"totalTokenCount":5120},"modelVersion":"gemini-3.8-flash","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"text":"Café "}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":5120,"candidatesTokenCount":2,"totalTokenCount":5122},"modelVersion":"gemini-3.8-flash","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"text":"first."}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":5120,"candidatesTokenCount":110,"totalTokenCount":5530,"cachedContentTokenCount":4800,"thoughtsTokenCount":300},"modelVersion":"gemini-3.8-flash","responseId":"r1"}

"#;

/// Ollama's own API, one document per line.
pub(crate) const OLLAMA: &str = r#"{"model":"qwen3","created_at":"2026-11-18T10:00:00Z","message":{"role":"assistant","content":"Café "},"done":false}
{"model":"qwen3","created_at":"2026-11-18T10:00:00Z","message":{"role":"assistant","content":"first."},"done":false}
{"model":"qwen3","created_at":"2026-11-18T10:00:01Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":1000,"prompt_eval_count":5120,"eval_count":410}
"#;

/// Every service: its preset and its recorded stream.
pub(crate) const ALL: [(&str, &str); 12] = [
    ("openai", CHAT),
    ("openai-responses", RESPONSES),
    ("anthropic", MESSAGES),
    ("gemini", GEMINI),
    ("openrouter", OPENROUTER),
    ("xai", GROK),
    ("qwen", THINKING),
    ("glm", THINKING),
    ("deepseek", THINKING),
    ("mistral", MISTRAL),
    ("groq", GROQ),
    ("ollama", OLLAMA),
];
