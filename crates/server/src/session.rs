//! One connection: its messages in and out, its searches, and when it ends.

use crate::{
    Shared,
    hosts::{Rate, same_word},
};
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket};
use futures_util::{SinkExt as _, StreamExt as _};
use outflank_api::{
    Call, Capabilities, Effort, Engines,
    messages::{self, Code, Message, News, PROTOCOL, Refusal},
};
use outflank_search::{StopToken, SystemClock};
use serde_json::Value;
use std::{
    net::IpAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    sync::{Notify, mpsc, watch},
    time::{interval, timeout},
};

/// Answers that wait for a slow listener; then news of progress are left out.
const WAITING: usize = 64;
/// Time between two questions whether the other side is still there.
const PING: Duration = Duration::from_secs(20);
/// Silence after which it is not.
const GONE: Duration = Duration::from_secs(45);
/// Time without a message after which a session ends.
const UNUSED: Duration = Duration::from_mins(10);
/// Messages too many after which it ends.
const PATIENCE: u32 = 200;

/// A search that runs, or waits for its turn.
#[derive(Clone)]
struct Running {
    id: u64,
    stop: StopToken,
    /// Wakes it if it waits for its turn.
    stopped: Arc<Notify>,
}

impl Running {
    fn stop(&self) {
        self.stop.stop();
        self.stopped.notify_one();
    }
}

/// The engines of a session for one kind of call: one search at a time.
#[derive(Clone)]
struct Lane {
    engines: Arc<Mutex<Engines>>,
    running: Arc<Mutex<Option<Running>>>,
}

impl Lane {
    fn new(table_bytes: u64) -> Self {
        Self {
            engines: Arc::new(Mutex::new(Engines::kept(SystemClock::shared(), table_bytes))),
            running: Arc::default(),
        }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops what runs; with a number, only the call of this number.
    fn stop(&self, id: Option<u64>) {
        if let Some(running) = &*self.running()
            && id.is_none_or(|id| id == running.id)
        {
            running.stop();
        }
    }
}

/// A connection that was let in, or may yet be.
pub(crate) struct Session {
    shared: Arc<Shared>,
    address: IpAddr,
    /// Whether it comes from a page of this server.
    from_page: bool,
    welcome: bool,
    foreground: Lane,
    background: Lane,
    /// For calls that need no engine.
    short: Lane,
    answers: mpsc::Sender<Value>,
}

impl Session {
    /// Serves a connection until it ends.
    pub(crate) async fn serve(shared: Arc<Shared>, socket: WebSocket, address: IpAddr, from_page: bool) {
        let (mut out, mut input) = socket.split();
        let (answers, mut queue) = mpsc::channel::<Value>(WAITING);
        let table_bytes = shared.settings.table_bytes;
        let mut session = Self {
            welcome: from_page && shared.settings.token.is_none(),
            foreground: Lane::new(table_bytes),
            background: Lane::new(table_bytes),
            short: Lane::new(table_bytes),
            shared: Arc::clone(&shared),
            address,
            from_page,
            answers,
        };
        let mut ending: watch::Receiver<bool> = shared.ending.subscribe();
        let mut ping = interval(PING);
        let (mut heard, mut used) = (Instant::now(), Instant::now());
        let (mut rate, mut too_many) = (Rate::new(heard), 0);
        let code = loop {
            tokio::select! {
                frame = input.next() => {
                    let Some(Ok(frame)) = frame else { break None };
                    heard = Instant::now();
                    let text = match &frame {
                        Frame::Text(text) => text.as_str(),
                        Frame::Binary(_) => "binary",
                        Frame::Close(_) => break None,
                        Frame::Ping(_) | Frame::Pong(_) => continue,
                    };
                    used = heard;
                    if !rate.allows(heard) {
                        too_many += 1;
                        let busy = Refusal::new(None, Code::Busy, "more than 20 messages a second");
                        let _full = session.answers.try_send(busy.to_json());
                        if too_many > PATIENCE {
                            break Some((1008, "too many messages"));
                        }
                        continue;
                    }
                    if !session.take(text) {
                        break Some((1008, "unauthorized"));
                    }
                }
                answer = queue.recv() => {
                    let Some(answer) = answer else { break None };
                    let sent = timeout(GONE, out.send(Frame::Text(answer.to_string().into()))).await;
                    if !matches!(sent, Ok(Ok(()))) {
                        break None;
                    }
                }
                _ = ping.tick() => {
                    if heard.elapsed() > GONE {
                        break None;
                    }
                    if used.elapsed() > UNUSED {
                        break Some((1000, "unused for ten minutes"));
                    }
                    if out.send(Frame::Ping(Vec::new().into())).await.is_err() {
                        break None;
                    }
                }
                _ = ending.changed() => break Some((1001, "the server ends")),
            }
        };
        session.foreground.stop(None);
        session.background.stop(None);
        // What was answered before the end still goes out.
        while let Ok(answer) = queue.try_recv() {
            if out.send(Frame::Text(answer.to_string().into())).await.is_err() {
                return;
            }
        }
        if let Some((code, reason)) = code {
            let frame = CloseFrame {
                code,
                reason: reason.into(),
            };
            let _gone = timeout(Duration::from_millis(500), out.send(Frame::Close(Some(frame)))).await;
        }
    }

    /// Takes a message; returns false if the connection must end.
    fn take(&mut self, text: &str) -> bool {
        let answer = match Message::parse(text) {
            Err(refusal) => refusal,
            Ok(Message::Hello { id, hello }) => {
                if hello.protocol.is_some_and(|version| version != PROTOCOL) {
                    let reason = format!("this server speaks version {PROTOCOL}: load the page again");
                    self.send(Refusal::new(id, Code::Version, reason).to_json());
                    return true;
                }
                return self.greet(id, hello.token.as_deref());
            }
            Ok(_) if !self.welcome => {
                Refusal::new(None, Code::Unauthorized, "say hello with the token first")
            }
            Ok(Message::Cancel(id)) => {
                self.foreground.stop(Some(id));
                self.background.stop(Some(id));
                return true;
            }
            Ok(Message::Forget { id }) => {
                for lane in [&self.foreground, &self.background] {
                    lane.stop(None);
                    if let Ok(mut engines) = lane.engines.try_lock() {
                        engines.forget();
                    }
                }
                self.send(messages::done(id, true));
                return true;
            }
            Ok(Message::Call { id, mut call }) => {
                match call.limit(&self.shared.about.limits, &self.shared.about) {
                    Ok(()) => {
                        self.begin(id, *call);
                        return true;
                    }
                    Err(reason) => Refusal::new(id, Code::Limit, reason),
                }
            }
        };
        self.send(answer.to_json());
        true
    }

    /// Lets somebody in who has the token, if one is asked for; returns false if the connection must end.
    fn greet(&mut self, id: u64, token: Option<&str>) -> bool {
        let now = Instant::now();
        let wanted = self.shared.settings.token.as_deref();
        if !self.welcome {
            let mut attempts = self
                .shared
                .attempts
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let given = token.unwrap_or_default();
            let may_try = attempts.may_try(self.address, now);
            if !may_try || !wanted.is_some_and(|wanted| same_word(wanted, given)) {
                attempts.note(self.address, now);
                drop(attempts);
                let reason = if !may_try {
                    "too many wrong tokens: wait a minute"
                } else if wanted.is_none() && !self.from_page {
                    "programs need a token: start the server with --token"
                } else {
                    "the token is missing or wrong: use the link that the server printed"
                };
                self.send(Refusal::new(id, Code::Unauthorized, reason).to_json());
                return false;
            }
            self.welcome = true;
        }
        for answer in messages::about(id, &self.shared.about) {
            self.send(answer);
        }
        true
    }

    fn send(&self, answer: Value) {
        // Somebody who sends without listening loses answers.
        let _full = self.answers.try_send(answer);
    }

    /// Begins a call: a search or a job in place of the one that runs, a short one beside them and without a turn.
    fn begin(&self, id: u64, call: Call) {
        let lane = match call.effort() {
            Effort::Search => self.foreground.clone(),
            Effort::Job => self.background.clone(),
            Effort::Short => {
                let answers = self.answers.clone();
                let lane = self.short.clone();
                tokio::task::spawn_blocking(move || {
                    let last = search(id, &call, &lane, &StopToken::new(), &answers);
                    let _gone = answers.blocking_send(last);
                });
                return;
            }
        };
        let this = Running {
            id,
            stop: StopToken::new(),
            stopped: Arc::default(),
        };
        if let Some(before) = lane.running().replace(this.clone()) {
            before.stop();
        }
        let (shared, answers) = (Arc::clone(&self.shared), self.answers.clone());
        tokio::spawn(async move {
            // One after the other, of all sessions; who is stopped before needs no turn.
            let turn = tokio::select! {
                turn = shared.turns.clone().acquire_owned() => turn.ok(),
                () = this.stopped.notified() => None,
            };
            let Some(turn) = turn else {
                let _gone = answers.send(messages::done(id, false)).await;
                return;
            };
            let work = move || {
                let last = search(id, &call, &lane, &this.stop, &answers);
                let mut running = lane.running();
                if running.as_ref().is_some_and(|running| running.id == id) {
                    *running = None;
                }
                drop(running);
                drop(turn);
                // The end is never left out.
                let _gone = answers.blocking_send(last);
            };
            // A failure of the thread itself is the runtime's end.
            let _ended = tokio::task::spawn_blocking(work).await;
        });
    }
}

/// Does what is asked; returns the last answer.
fn search(id: u64, call: &Call, lane: &Lane, stop: &StopToken, answers: &mpsc::Sender<Value>) -> Value {
    if stop.is_stopped() {
        return messages::done(id, false);
    }
    let mut engines = lane.engines.lock().unwrap_or_else(PoisonError::into_inner);
    let mut news = News::new(id);
    let began = Instant::now();
    let run = AssertUnwindSafe(|| {
        engines.run(call, &Capabilities::NONE, stop, &mut |event| {
            let is_news = event.is_progress();
            news.take(&event, began.elapsed(), &mut |answer| {
                if is_news {
                    let _full = answers.try_send(answer);
                } else {
                    let _gone = answers.blocking_send(answer);
                }
            });
        })
    });
    match catch_unwind(run) {
        Ok(Ok(())) => {
            news.flush(&mut |answer| {
                let _gone = answers.blocking_send(answer);
            });
            messages::done(id, !stop.is_stopped())
        }
        Ok(Err(error)) => Refusal::of_error(id, &error).to_json(),
        Err(_) => {
            // What it has learned may be half written.
            engines.forget_all();
            Refusal::new(id, Code::EngineFailed, "the search has failed").to_json()
        }
    }
}
