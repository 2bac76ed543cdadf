//! Books against slow and obvious ones, and against writers of the formats that share no code with the library.

#[path = "books/exchange.rs"]
mod exchange;
#[path = "books/files.rs"]
mod files;
#[path = "books/laws.rs"]
mod laws;
#[path = "books/naive.rs"]
mod naive;
#[path = "books/random_books.rs"]
mod random_books;
