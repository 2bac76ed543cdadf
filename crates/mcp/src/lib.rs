//! Outflank's engines as tools of the Model Context Protocol: analyze, solve, review, convert, and names of openings.
//!
//! A tool takes text and answers with the JSON objects that `outflank … --json` prints. It opens no files and starts no
//! programs, whoever asks: there is no such capability here. Searches have the limits of a served session; one runs at a
//! time, the next one waits, and one that is canceled ends with what it has found.

mod tools;

use outflank_api::{
    Call, Capabilities, Engines, Event,
    messages::{About, MOST_BYTES, MostOf, Refusal},
};
use outflank_search::{Clock, StopToken};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::async_rw::AsyncRwTransport,
};
use std::{
    fmt, io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::io::{AsyncRead, AsyncWrite};

/// Longest line of the dialogue in bytes; what is longer is passed over. Longer texts than [`MOST_BYTES`] have an answer.
const MOST_LINE: usize = 8 << 20;
/// Longest answer in bytes.
const MOST_ANSWER: usize = 4 << 20;
/// How often to look whether the program is to end.
const LOOK: Duration = Duration::from_millis(30);

/// How to serve.
#[derive(Clone)]
pub struct Settings {
    /// What a call may ask for at most.
    pub limits: MostOf,
    /// Bytes of the table.
    pub table_bytes: u64,
    /// The time of the searches.
    pub clock: Arc<dyn Clock>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("limits", &self.limits)
            .field("table_bytes", &self.table_bytes)
            .finish_non_exhaustive()
    }
}

/// Answers on standard output what is asked on standard input, until that ends or `stop` is stopped.
///
/// # Errors
///
/// The threads cannot be started, or the other side does not begin as the protocol says.
pub fn serve(settings: Settings, stop: &StopToken) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let served = runtime.block_on(serve_on(tokio::io::stdin(), tokio::io::stdout(), settings, stop));
    // A read from standard input cannot be called back.
    runtime.shutdown_background();
    served
}

/// Answers on `output` what is asked on `input`, until that ends or `stop` is stopped.
///
/// # Errors
///
/// The other side does not begin as the protocol says.
pub async fn serve_on(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    settings: Settings,
    stop: &StopToken,
) -> io::Result<()> {
    let tools = Tools::new(settings);
    let running = Arc::clone(&tools.running);
    let transport = AsyncRwTransport::<RoleServer, _, _>::new(input, output).with_max_line_length(MOST_LINE);
    let wanted = async {
        while !stop.is_stopped() {
            tokio::time::sleep(LOOK).await;
        }
    };
    let dialogue = async {
        let service = tools.serve(transport).await.map_err(io::Error::other)?;
        service.waiting().await.map_err(io::Error::other)
    };
    let served = tokio::select! {
        served = dialogue => served.map(|_| ()),
        () = wanted => Ok(()),
    };
    // What still runs has nobody to answer to.
    for stop in &*running.lock().unwrap_or_else(PoisonError::into_inner) {
        stop.stop();
    }
    served
}

/// The tools and the engines behind them.
struct Tools {
    engines: Arc<Mutex<Engines>>,
    about: Arc<About>,
    /// What stops the calls that run or wait.
    running: Arc<Mutex<Vec<StopToken>>>,
}

impl Tools {
    fn new(settings: Settings) -> Self {
        Self {
            engines: Arc::new(Mutex::new(Engines::kept(settings.clock, settings.table_bytes))),
            about: Arc::new(About::new("mcp", settings.table_bytes, settings.limits)),
            running: Arc::default(),
        }
    }

    /// Does a call in a thread of its own, until `canceled`.
    async fn run(&self, call: Call, canceled: impl Future<Output = ()>) -> CallToolResult {
        let stop = StopToken::new();
        self.running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(stop.clone());
        let (engines, token) = (Arc::clone(&self.engines), stop.clone());
        let mut work = tokio::task::spawn_blocking(move || answer(&call, &engines, &token));
        let ended = tokio::select! {
            ended = &mut work => ended,
            () = canceled => {
                stop.stop();
                work.await
            }
        };
        // A token that is stopped needs no place in the list any more.
        stop.stop();
        self.running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|stop| !stop.is_stopped());
        match ended {
            Ok(Ok(text)) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Ok(Err(refusal)) => failure(&refusal),
            Err(_) => failure("the search has failed"),
        }
    }
}

/// Returns an answer that says why there is none, in words that the other side shows.
fn failure(reason: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(reason)])
}

/// Does a call; returns its results, one JSON object a line.
fn answer(call: &Call, engines: &Mutex<Engines>, stop: &StopToken) -> Result<String, String> {
    let mut engines = engines.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text = String::new();
    let mut take = |event: Event| {
        if event.is_progress() {
            return;
        }
        let line = serde_json::to_string(&event).unwrap_or_default();
        if text.len() + line.len() < MOST_ANSWER {
            text.push_str(&line);
            text.push('\n');
        } else {
            // Nobody reads so much: the call ends with what there is.
            stop.stop();
        }
    };
    let run = AssertUnwindSafe(|| engines.run(call, &Capabilities::NONE, stop, &mut take));
    match catch_unwind(run) {
        Ok(Ok(())) => {
            if stop.is_stopped() {
                text.push_str("{\"complete\":false}\n");
            }
            Ok(text)
        }
        Ok(Err(error)) => Err(Refusal::of_error(0, &error).message),
        Err(_) => {
            // What they have learned may be half written.
            engines.forget_all();
            Err("the search has failed".to_owned())
        }
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let mut me = Implementation::new("outflank", self.about.version);
        me.title = Some("Outflank".to_owned());
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(me)
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let Some(read) = tools::read(&request.name, arguments) else {
            let known: Vec<_> = tools::all().into_iter().map(|tool| tool.name).collect();
            let reason = format!("no tool {:?}: {}", request.name, known.join(", "));
            return Err(ErrorData::invalid_params(reason, None));
        };
        let result = match read.and_then(|asked| self.limited(asked)) {
            Ok(call) => self.run(call, context.ct.cancelled()).await,
            Err(reason) => failure(&reason),
        };
        Ok(result.into())
    }
}

impl Tools {
    /// Keeps a call within the limits.
    fn limited(&self, asked: tools::Asked) -> Result<Call, String> {
        if asked.text_bytes > MOST_BYTES {
            let most = MOST_BYTES >> 20;
            return Err(format!(
                "{} bytes of text; a call takes at most {most} MiB",
                asked.text_bytes
            ));
        }
        let mut call = asked.call;
        call.limit(&self.about.limits, &self.about)?;
        Ok(call)
    }
}
