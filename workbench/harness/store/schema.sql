-- The Space's database. Rows are only ever added: the triggers refuse everything else, whoever asks.

CREATE TABLE IF NOT EXISTS blocks (
    cid   TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;

-- Every version a name ever had; a cid of NULL says that the name was taken away.
CREATE TABLE IF NOT EXISTS names (
    name    TEXT    NOT NULL,
    version INTEGER NOT NULL,
    cid     TEXT,
    time_ms INTEGER NOT NULL,
    actor   TEXT    NOT NULL,
    PRIMARY KEY (name, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS events (
    id      INTEGER PRIMARY KEY,
    thread  TEXT    NOT NULL,
    seq     INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    actor   TEXT    NOT NULL,
    type    TEXT    NOT NULL,
    call    TEXT,            -- of a tool_call and its tool_result: the id they share
    payload TEXT,            -- JSON, or NULL when it stands in `block`
    block   TEXT,
    digest  TEXT    NOT NULL,
    UNIQUE (thread, seq)
) STRICT;

CREATE UNIQUE INDEX IF NOT EXISTS one_call   ON events (call) WHERE type = 'tool_call';
CREATE UNIQUE INDEX IF NOT EXISTS one_result ON events (call) WHERE type = 'tool_result';

CREATE VIEW IF NOT EXISTS threads AS
    SELECT thread AS id, min(time_ms) AS started_ms, max(time_ms) AS last_ms, max(seq) AS events, max(id) AS last_id
    FROM events GROUP BY thread;

CREATE TRIGGER IF NOT EXISTS blocks_no_update BEFORE UPDATE ON blocks
    BEGIN SELECT RAISE(ABORT, 'blocks are never changed'); END;
CREATE TRIGGER IF NOT EXISTS blocks_no_delete BEFORE DELETE ON blocks
    BEGIN SELECT RAISE(ABORT, 'blocks are never removed'); END;
CREATE TRIGGER IF NOT EXISTS blocks_no_replace BEFORE INSERT ON blocks
    WHEN EXISTS (SELECT 1 FROM blocks WHERE cid = NEW.cid OR rowid = NEW.rowid)
    BEGIN SELECT RAISE(ABORT, 'blocks are never replaced'); END;

CREATE TRIGGER IF NOT EXISTS names_no_update BEFORE UPDATE ON names
    BEGIN SELECT RAISE(ABORT, 'versions are never changed'); END;
CREATE TRIGGER IF NOT EXISTS names_no_delete BEFORE DELETE ON names
    BEGIN SELECT RAISE(ABORT, 'versions are never removed'); END;
CREATE TRIGGER IF NOT EXISTS names_in_order BEFORE INSERT ON names
    WHEN NEW.version IS NOT (SELECT coalesce(max(version), 0) + 1 FROM names WHERE name = NEW.name)
    BEGIN SELECT RAISE(ABORT, 'versions follow one another and are never replaced'); END;

CREATE TRIGGER IF NOT EXISTS events_no_update BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER IF NOT EXISTS events_no_delete BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
CREATE TRIGGER IF NOT EXISTS events_in_order BEFORE INSERT ON events
    WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE thread = NEW.thread)
      OR (NEW.id IS NOT NULL AND NEW.id <> -1 AND EXISTS (SELECT 1 FROM events WHERE id = NEW.id))
    BEGIN SELECT RAISE(ABORT, 'events follow one another and are never replaced'); END;
CREATE TRIGGER IF NOT EXISTS one_call_an_id BEFORE INSERT ON events
    WHEN NEW.type = 'tool_call' AND EXISTS (SELECT 1 FROM events WHERE type = 'tool_call' AND call = NEW.call)
    BEGIN SELECT RAISE(ABORT, 'this call id is taken'); END;
CREATE TRIGGER IF NOT EXISTS one_result_a_call BEFORE INSERT ON events
    WHEN NEW.type = 'tool_result' AND EXISTS (SELECT 1 FROM events WHERE type = 'tool_result' AND call = NEW.call)
    BEGIN SELECT RAISE(ABORT, 'this call has its result'); END;
CREATE TRIGGER IF NOT EXISTS no_result_without_call BEFORE INSERT ON events
    WHEN NEW.type = 'tool_result' AND NOT EXISTS (
        SELECT 1 FROM events WHERE type = 'tool_call' AND call = NEW.call AND thread = NEW.thread)
    BEGIN SELECT RAISE(ABORT, 'a result needs its call in the same thread'); END;
