//! The page: files that are part of the program, sent as they are, and no others.

use axum::body::Body;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use rust_embed::RustEmbed;
use std::{borrow::Cow, collections::BTreeMap};

/// What the page may load, and from where: from here alone.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types outflank";

/// Bytes from which on a text is worth packing.
const PACK_FROM: usize = 512;

#[derive(RustEmbed)]
#[folder = "page"]
struct Bundle;

/// A file of the page.
#[derive(Debug)]
struct Asset {
    content: Cow<'static, [u8]>,
    /// The same packed, if that is shorter.
    packed: Option<Vec<u8>>,
    kind: &'static str,
    /// Whether its name changes with its content.
    immutable: bool,
}

/// The files of the page by name.
#[derive(Debug, Default)]
pub struct Assets(BTreeMap<String, Asset>);

impl Assets {
    /// Returns the files inside the program.
    pub fn embedded() -> Self {
        Self::of(Bundle::iter().filter_map(|name| Some((name.to_string(), Bundle::get(&name)?.data))))
    }

    /// Returns files that were read elsewhere, by name: a path with `/` below the folder of the page.
    pub fn of(files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>) -> Self {
        let asset = |(name, content): (String, Cow<'static, [u8]>)| {
            let kind = kind_of(&name);
            let is_text = kind.starts_with("text/") || kind.contains("json") || kind.contains("svg");
            let packed = (is_text && content.len() >= PACK_FROM)
                .then(|| gzip(&content))
                .filter(|packed| packed.len() < content.len());
            let immutable = is_hashed(&name);
            let asset = Asset {
                content,
                packed,
                kind,
                immutable,
            };
            (name, asset)
        };
        Self(files.into_iter().map(asset).collect())
    }

    /// Returns whether there is a page.
    pub fn has_page(&self) -> bool {
        self.0.contains_key("index.html")
    }

    /// Answers a request for a file.
    pub fn answer(&self, method: &Method, path: &str, asked: &HeaderMap) -> Response<Body> {
        if method != Method::GET && method != Method::HEAD {
            let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD");
            let methods = HeaderValue::from_static("GET, HEAD");
            response.headers_mut().insert(header::ALLOW, methods);
            return response;
        }
        let name = match path {
            "/" => "index.html",
            path => path.strip_prefix('/').unwrap_or(path),
        };
        let Some(asset) = self.0.get(name) else {
            return refusal(StatusCode::NOT_FOUND, "there is no such file");
        };
        let takes_packed = asked
            .get(header::ACCEPT_ENCODING)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.split(',').any(|coding| coding.trim().starts_with("gzip")));
        let (content, packed): (Vec<u8>, bool) = match &asset.packed {
            Some(packed) if takes_packed => (packed.clone(), true),
            _ => (asset.content.to_vec(), false),
        };
        let length = content.len();
        let body = if method == Method::HEAD {
            Body::empty()
        } else {
            Body::from(content)
        };
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        if packed {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        let keep = if asset.immutable {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
        protect(headers);
        response
    }
}

/// Returns an answer of one line of text.
pub(crate) fn refusal(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(format!("{text}\n")));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    protect(response.headers_mut());
    response
}

/// Adds the headers that keep other sites away from the page.
fn protect(headers: &mut HeaderMap) {
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Returns whether a name ends in a hash: `main-0a1b2c3d.js`.
fn is_hashed(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.rsplit_once('-').is_some_and(|(_, hash)| {
        hash.len() >= 8
            && hash
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Packs bytes as gzip: a header, the deflated bytes, their check sum and length.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    packed.extend(miniz_oxide::deflate::compress_to_vec(bytes, 9));
    packed.extend(crc32fast::hash(bytes).to_le_bytes());
    packed.extend((bytes.len() as u32).to_le_bytes());
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assets() -> Assets {
        let text = |text: &'static str| Cow::Borrowed(text.as_bytes());
        Assets::of([
            ("index.html".to_owned(), text("<!doctype html>")),
            (
                "assets/main-0a1b2c3d.js".to_owned(),
                Cow::Owned(b"let x = 1;\n".repeat(200)),
            ),
        ])
    }

    fn status(path: &str, method: &Method) -> StatusCode {
        assets().answer(method, path, &HeaderMap::new()).status()
    }

    #[test]
    fn the_page_is_inside() {
        let assets = Assets::embedded();
        assert!(
            assets.has_page() && assets.0.len() > 10,
            "{} files",
            assets.0.len()
        );
        assert!(
            assets
                .0
                .values()
                .all(|asset| asset.kind != "application/octet-stream")
        );
    }

    #[test]
    fn only_names_of_the_page_are_found() {
        assert_eq!(status("/", &Method::GET), StatusCode::OK);
        assert_eq!(status("/index.html", &Method::HEAD), StatusCode::OK);
        assert_eq!(status("/assets/main-0a1b2c3d.js", &Method::GET), StatusCode::OK);
        for path in [
            "/../Cargo.toml",
            "/assets/../index.html",
            "//etc/passwd",
            "/etc/passwd",
            "/%2e%2e/secret",
            "/index.html/",
            "",
        ] {
            assert_eq!(status(path, &Method::GET), StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(status("/", &Method::POST), StatusCode::METHOD_NOT_ALLOWED);
    }

    #[test]
    fn files_are_packed_for_those_who_take_it_and_kept_where_their_name_is_a_hash() {
        let mut asked = HeaderMap::new();
        asked.insert(
            header::ACCEPT_ENCODING,
            HeaderValue::from_static("br, gzip;q=0.9"),
        );
        let found = assets().answer(&Method::GET, "/assets/main-0a1b2c3d.js", &asked);
        assert_eq!(found.headers()[header::CONTENT_ENCODING], "gzip");
        assert!(
            found.headers()[header::CACHE_CONTROL]
                .to_str()
                .is_ok_and(|keep| keep.contains("immutable"))
        );
        let page = assets().answer(&Method::GET, "/", &asked);
        assert_eq!(page.headers()[header::CACHE_CONTROL], "no-cache");
        for name in [
            "content-security-policy",
            "x-content-type-options",
            "cross-origin-opener-policy",
        ] {
            assert!(page.headers().contains_key(name), "{name}");
            assert!(status_headers("/none").contains_key(name), "{name}");
        }
    }

    fn status_headers(path: &str) -> HeaderMap {
        let found = assets().answer(&Method::GET, path, &HeaderMap::new());
        found.headers().clone()
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let bytes = b"Othello ".repeat(100);
        let packed = gzip(&bytes);
        let inner = &packed[10..packed.len() - 8];
        assert_eq!(miniz_oxide::inflate::decompress_to_vec(inner).ok(), Some(bytes));
    }
}
