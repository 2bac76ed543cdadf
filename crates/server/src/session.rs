//! One connection: its messages in and out, its searches, and when it ends.

use crate::{
    Shared,
    hosts::{Rate, same_word},
};
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket};
use futures_util::{SinkExt as _, StreamExt as _};
use outflank_api::{
    Call, Capabilities, Effort, Engines,
    games::own::Collections,
    messages::{self, About, Code, Hello, Message, News, PROTOCOL, Refusal},
};
use outflank_search::{Clock, StopToken};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    net::IpAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    sync::{Notify, Semaphore, mpsc, watch},
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
    fn new(engines: Engines) -> Self {
        Self {
            engines: Arc::new(Mutex::new(engines)),
            running: Arc::default(),
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
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

/// What stays of a session while its connection is lost: engines with what they know, and games.
#[derive(Clone)]
pub(crate) struct Lanes {
    foreground: Lane,
    background: Lane,
    /// For calls that need no engine.
    short: Lane,
}

impl Lanes {
    pub(crate) fn new(clock: &Arc<dyn Clock>, table_bytes: u64, collections: Collections) -> Self {
        let collections = Arc::new(collections);
        let lane = || {
            let engines = Engines::kept(Arc::clone(clock), table_bytes);
            Lane::new(engines.with_collections(Arc::clone(&collections)))
        };
        Self {
            foreground: lane(),
            background: lane(),
            short: lane(),
        }
    }

    /// Stops what runs; with a number, only the call of this number.
    fn stop(&self, id: Option<u64>) {
        self.foreground.stop(id);
        self.background.stop(id);
    }
}

/// The short calls of a connection, one after the other.
#[derive(Clone)]
struct Shorts {
    turn: Arc<Semaphore>,
    waiting: Arc<Mutex<BTreeMap<u64, StopToken>>>,
}

impl Shorts {
    fn new() -> Self {
        Self {
            turn: Arc::new(Semaphore::new(1)),
            waiting: Arc::default(),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, StopToken>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops all, or the one of this number.
    fn stop(&self, id: Option<u64>) {
        for (number, stop) in &*self.waiting() {
            if id.is_none_or(|id| id == *number) {
                stop.stop();
            }
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
    /// By what its page knows the session; empty before it is let in.
    word: String,
    /// Hears when another connection takes the session over.
    taken: Arc<Notify>,
    lanes: Lanes,
    shorts: Shorts,
    answers: mpsc::Sender<Value>,
}

impl Session {
    /// Serves a connection until it ends.
    pub(crate) async fn serve(shared: Arc<Shared>, socket: WebSocket, address: IpAddr, from_page: bool) {
        let (mut out, mut input) = socket.split();
        let (answers, mut queue) = mpsc::channel::<Value>(WAITING);
        let settings = &shared.settings;
        let collections = Collections::with_served(settings.games.clone());
        let mut session = Self {
            welcome: from_page && settings.token.is_none(),
            word: String::new(),
            taken: Arc::default(),
            lanes: Lanes::new(&settings.clock, settings.table_bytes, collections),
            shorts: Shorts::new(),
            shared: Arc::clone(&shared),
            address,
            from_page,
            answers,
        };
        let mut ending: watch::Receiver<bool> = shared.ending.subscribe();
        let mut ping = interval(PING);
        let (mut heard, mut used) = (Instant::now(), Instant::now());
        let (mut rate, mut too_many) = (Rate::new(heard), 0);
        let mut said_goodbye = false;
        let code = loop {
            let taken = Arc::clone(&session.taken);
            tokio::select! {
                frame = input.next() => {
                    let Some(Ok(frame)) = frame else { break None };
                    heard = Instant::now();
                    let text = match &frame {
                        Frame::Text(text) => text.as_str(),
                        Frame::Binary(_) => "binary",
                        Frame::Close(_) => {
                            said_goodbye = true;
                            break None;
                        }
                        Frame::Ping(_) | Frame::Pong(_) => continue,
                    };
                    used = heard;
                    if !rate.allows(heard) {
                        too_many += 1;
                        let busy = Refusal::new(Message::number(text), Code::Busy, "more than 20 messages a second");
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
                () = taken.notified() => break Some((1000, "the session goes on in another connection")),
                _ = ending.changed() => break Some((1001, "the server ends")),
            }
        };
        session.leave(said_goodbye || code.is_some());
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
            // What was sent meanwhile is read: closed over unread messages, the connection would be reset, and the other
            // side would lose answers that it has not read yet.
            let farewell = async {
                if out.send(Frame::Close(Some(frame))).await.is_ok() {
                    while let Some(Ok(_)) = input.next().await {}
                }
            };
            let _gone = timeout(Duration::from_millis(500), farewell).await;
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
                return self.greet(id, &hello);
            }
            Ok(_) if !self.welcome => {
                Refusal::new(None, Code::Unauthorized, "say hello with the token first")
            }
            Ok(Message::Cancel(id)) => {
                self.lanes.stop(Some(id));
                self.shorts.stop(Some(id));
                return true;
            }
            Ok(Message::Forget { id }) => {
                for lane in [&self.lanes.foreground, &self.lanes.background] {
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
    fn greet(&mut self, id: u64, hello: &Hello) -> bool {
        let now = Instant::now();
        let wanted = self.shared.settings.token.as_deref();
        if !self.welcome {
            let mut attempts = self
                .shared
                .attempts
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let given = hello.token.as_deref().unwrap_or_default();
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
        self.resume(hello.session.as_deref());
        let about = About {
            session: Some(self.word.clone()).filter(|word| !word.is_empty()),
            ..self.shared.about.clone()
        };
        for answer in messages::about(id, &about) {
            self.send(answer);
        }
        true
    }

    /// Goes on with the session of this word if it is known, else notes this one as a new session.
    fn resume(&mut self, word: Option<&str>) {
        if !self.word.is_empty() {
            return;
        }
        let mut known = self.shared.known();
        if let Some((word, (lanes, taken))) =
            word.and_then(|word| Some((word, known.resume(word, Instant::now())?)))
        {
            // What ran for the old connection has nobody to answer to.
            lanes.stop(None);
            (self.word, self.lanes, self.taken) = (word.to_owned(), lanes, taken);
            return;
        }
        let mut bytes = [0; 16];
        // Without random numbers nobody can come back.
        if getrandom::fill(&mut bytes).is_ok() {
            self.word = format!("{:032x}", u128::from_ne_bytes(bytes));
            self.taken = known.insert(&self.word, self.lanes.clone());
        }
    }

    /// Ends the searches of a connection that ends; its session is kept only if the connection was lost.
    fn leave(&self, is_over: bool) {
        self.shorts.stop(None);
        let mut known = self.shared.known();
        // A page that never said hello has nothing to come back to.
        let is_noted = !self.word.is_empty();
        if is_noted && !known.belongs_to(&self.word, &self.taken) {
            // Another connection has it, with searches of its own.
            return;
        }
        self.lanes.stop(None);
        if is_noted && is_over {
            known.remove(&self.word);
        } else if is_noted {
            known.lose(&self.word, Instant::now());
        }
    }

    fn send(&self, answer: Value) {
        // Somebody who sends without listening loses answers.
        let _full = self.answers.try_send(answer);
    }

    /// Begins a call: a search or a job in place of the one that runs, a short one beside them and without a turn.
    fn begin(&self, id: u64, call: Call) {
        let lane = match call.effort() {
            Effort::Search => self.lanes.foreground.clone(),
            Effort::Job => self.lanes.background.clone(),
            Effort::Short => return self.begin_short(id, call),
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

    /// Does a call that needs no engine after those before it, so that no session takes all threads.
    fn begin_short(&self, id: u64, call: Call) {
        let (answers, lane, shorts) = (
            self.answers.clone(),
            self.lanes.short.clone(),
            self.shorts.clone(),
        );
        let stop = StopToken::new();
        shorts.waiting().insert(id, stop.clone());
        tokio::spawn(async move {
            let turn = shorts.turn.clone().acquire_owned().await;
            let work = move || {
                let last = search(id, &call, &lane, &stop, &answers);
                shorts.waiting().remove(&id);
                drop(turn);
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
