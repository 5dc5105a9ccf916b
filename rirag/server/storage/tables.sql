CREATE TABLE IF NOT EXISTS answers (
  id TEXT PRIMARY KEY, same TEXT NOT NULL, created TEXT NOT NULL, maker TEXT NOT NULL,
  bound TEXT NOT NULL, question TEXT NOT NULL, body TEXT NOT NULL, passages TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS answers_same ON answers (same);
CREATE TABLE IF NOT EXISTS feedback (
  id INTEGER PRIMARY KEY, answer_id TEXT NOT NULL REFERENCES answers (id), created TEXT NOT NULL,
  maker TEXT NOT NULL, verdict TEXT NOT NULL, citation TEXT NOT NULL, comment TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS jobs (
  id TEXT PRIMARY KEY, same TEXT NOT NULL, created TEXT NOT NULL, maker TEXT NOT NULL,
  bound TEXT NOT NULL, state TEXT NOT NULL, starts INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS jobs_state ON jobs (state);
CREATE TEMP VIEW opinions AS SELECT feedback.*, answers.question, answers.bound
    FROM feedback JOIN answers ON answers.id = answer_id;
