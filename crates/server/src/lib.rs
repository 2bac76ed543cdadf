//! Outflank's page and its engine over a WebSocket.
//!
//! The page is part of the program; its messages are the calls of [`outflank_api`]. The server opens no files and starts no
//! programs, whoever asks: it has no such capability. It answers only to its own names ([`hosts`]), so that pages of other
//! sites cannot use it, and to nobody without the token when it listens to other computers.

mod assets;
pub mod hosts;
mod known;
mod session;

pub use assets::Assets;

use assets::refusal;
use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request, State, WebSocketUpgrade},
    http::{Response, StatusCode, header},
    response::IntoResponse as _,
    routing::{any, get},
};
use hosts::{Attempts, Hosts, is_loopback};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use known::Known;
use outflank_api::{
    Engines,
    games::own::Served,
    messages::{About, MOST_BYTES, MostOf},
};
use outflank_search::{Clock, StopToken};
use session::Session;
use std::{
    fmt, io,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
};

/// Longest head of a request in bytes.
const MOST_HEAD: usize = 16 << 10;
/// Time to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Connections at a time, of every kind.
const CONNECTIONS: usize = 128;
/// How often to look whether the server is to end.
const LOOK: Duration = Duration::from_millis(30);
/// Time for connections to end when the server does.
const FAREWELL: Duration = Duration::from_millis(800);

/// How to serve.
pub struct Settings {
    /// Where to listen.
    pub bind: IpAddr,
    /// The first port to try.
    pub port: u16,
    /// How many ports after it to try if it is taken.
    pub other_ports: u16,
    /// Names beside its own under which the server answers: those of a proxy before it.
    pub allowed_hosts: Vec<String>,
    /// The word that lets people in; needed where other computers reach the server.
    pub token: Option<String>,
    /// Connections with engines at a time.
    pub sessions: usize,
    /// Searches at a time.
    pub threads: usize,
    /// Bytes of a table.
    pub table_bytes: u64,
    /// What a call may ask for at most.
    pub limits: MostOf,
    /// The page.
    pub assets: Assets,
    /// Games that everybody may ask about.
    pub games: Option<Served>,
    /// The time of the searches.
    pub clock: Arc<dyn Clock>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("bind", &self.bind)
            .field("port", &self.port)
            .field("sessions", &self.sessions)
            .finish_non_exhaustive()
    }
}

/// Why the server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No port is free, or the address is not this computer's.
    #[error("cannot listen on {bind} at port {port} or the {others} after it: {error}")]
    Listen {
        /// The address.
        bind: IpAddr,
        /// The first port.
        port: u16,
        /// How many more were tried.
        others: u16,
        /// What the system says of the last.
        error: io::Error,
    },
    /// Other computers would reach it without a token.
    #[error("{0} is reached from other computers: that needs a token")]
    NoToken(IpAddr),
    /// The threads that listen cannot be started.
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}

/// What all connections share.
struct Shared {
    settings: Settings,
    about: About,
    hosts: Hosts,
    attempts: Mutex<Attempts>,
    sessions: Arc<Semaphore>,
    /// Searches that may run now, in the order in which they ask.
    turns: Arc<Semaphore>,
    /// Sessions that were let in.
    known: Mutex<Known>,
    /// Turns true when the server ends.
    ending: watch::Sender<bool>,
}

impl Shared {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves until `stop` is stopped; `on_start` hears where. Ends within a second.
///
/// # Errors
///
/// Returns why there is no server.
pub fn serve(
    settings: Settings,
    on_start: impl FnOnce(SocketAddr),
    stop: &StopToken,
) -> Result<(), ServeError> {
    if settings.token.is_none() && !is_loopback(settings.bind) {
        return Err(ServeError::NoToken(settings.bind));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(settings.threads + 4)
        .enable_all()
        .build()
        .map_err(ServeError::Runtime)?;
    let served = runtime.block_on(async {
        let listener = listen(&settings).await?;
        let address = listener.local_addr().map_err(ServeError::Runtime)?;
        let shared = Arc::new(Shared {
            about: About::new("server", settings.table_bytes, settings.limits),
            hosts: Hosts::new(address, &settings.allowed_hosts),
            attempts: Mutex::default(),
            sessions: Arc::new(Semaphore::new(settings.sessions)),
            turns: Arc::new(Semaphore::new(settings.threads)),
            known: Mutex::new(Known::new(settings.sessions)),
            ending: watch::Sender::new(false),
            settings,
        });
        on_start(address);
        // The page is being read meanwhile, and its first question need not wait for this.
        tokio::task::spawn_blocking(Engines::prepare);
        accept(&shared, &listener, stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(Duration::from_millis(100));
    served
}

async fn listen(settings: &Settings) -> Result<TcpListener, ServeError> {
    let mut last = None;
    for port in settings.port..=settings.port.saturating_add(settings.other_ports) {
        match TcpListener::bind((settings.bind, port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) => last = Some(error),
        }
    }
    Err(ServeError::Listen {
        bind: settings.bind,
        port: settings.port,
        others: settings.other_ports,
        error: last.unwrap_or_else(|| io::Error::other("no port was tried")),
    })
}

async fn accept(shared: &Arc<Shared>, listener: &TcpListener, stop: &StopToken) {
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let router = Router::new()
        .route("/ws", get(socket))
        .fallback(any(file))
        .with_state(Arc::clone(shared));
    let mut look = tokio::time::interval(LOOK);
    loop {
        let (stream, address) = tokio::select! {
            _ = look.tick() => {
                if stop.is_stopped() {
                    break;
                }
                shared.known().forget_lost(Instant::now());
                continue;
            }
            accepted = listener.accept() => {
                let Ok(accepted) = accepted else {
                    // Too many open files, perhaps: it passes.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                accepted
            }
        };
        let Ok(place) = Arc::clone(&connections).try_acquire_owned() else {
            continue;
        };
        // Answers are small and follow each other: held back until the one before is acknowledged, the second would come
        // 40 ms late.
        let _at_once = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone().layer(axum::Extension(ConnectInfo(address))));
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .max_buf_size(MOST_HEAD);
            let connection = builder
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // A connection that breaks is the other side's affair.
            let _broken = connection.await;
            drop(place);
        });
    }
    shared.ending.send_replace(true);
    let all = shared.settings.sessions as u32;
    let _late = tokio::time::timeout(FAREWELL, shared.sessions.acquire_many(all)).await;
}

/// Refuses a request that does not name this server.
fn misdirected(shared: &Shared, request: &http::HeaderMap) -> Option<Response<Body>> {
    let mut hosts = request.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let known = hosts.next().is_none() && host.is_some_and(|host| shared.hosts.allows_host(host));
    (!known).then(|| {
        refusal(
            StatusCode::MISDIRECTED_REQUEST,
            "this server does not go by that name: use the link that it printed, or start it with --allow-host",
        )
    })
}

async fn file(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    if let Some(refused) = misdirected(&shared, request.headers()) {
        return refused;
    }
    shared
        .settings
        .assets
        .answer(request.method(), request.uri().path(), request.headers())
}

async fn socket(
    State(shared): State<Arc<Shared>>,
    axum::Extension(ConnectInfo(address)): axum::Extension<ConnectInfo<SocketAddr>>,
    headers: http::HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response<Body> {
    if let Some(refused) = misdirected(&shared, &headers) {
        return refused;
    }
    let from_page = match headers.get(header::ORIGIN).map(|origin| origin.to_str()) {
        None => false,
        Some(Ok(origin)) if shared.hosts.allows_origin(origin) => true,
        Some(_) => {
            return refusal(
                StatusCode::FORBIDDEN,
                "a page of another site may not use this server",
            );
        }
    };
    let Ok(upgrade) = upgrade else {
        return refusal(StatusCode::BAD_REQUEST, "a WebSocket is needed here");
    };
    let Ok(place) = Arc::clone(&shared.sessions).try_acquire_owned() else {
        return refusal(
            StatusCode::SERVICE_UNAVAILABLE,
            "as many sessions as may be are open",
        );
    };
    upgrade
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .on_upgrade(move |socket| async move {
            Session::serve(shared, socket, address.ip(), from_page).await;
            drop(place);
        })
        .into_response()
}
