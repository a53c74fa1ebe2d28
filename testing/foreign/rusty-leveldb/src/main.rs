// Tries to open databases by rusty-leveldb: a line "refused DIR: why" or "opened DIR: N entries"
// for each.
use rusty_leveldb::{LdbIterator, Options, DB};

fn main() {
    for dir in std::env::args().skip(1) {
        let mut options = Options::default();
        options.create_if_missing = false;
        match DB::open(&dir, options) {
            Err(why) => println!("refused {}: {}", dir, why),
            Ok(mut db) => {
                let mut entries = 0;
                if let Ok(mut iter) = db.new_iter() {
                    while iter.advance() {
                        entries += 1;
                    }
                }
                println!("opened {}: {} entries", dir, entries);
            }
        }
    }
}
