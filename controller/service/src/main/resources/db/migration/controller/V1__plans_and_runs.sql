-- SPDX-License-Identifier: Apache-2.0

CREATE TABLE plan (
    name            text PRIMARY KEY,
    current_version integer NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL
);

-- Every text that a plan ever was.
CREATE TABLE plan_version (
    plan_name  text NOT NULL REFERENCES plan (name) ON DELETE CASCADE,
    version    integer NOT NULL,
    content    jsonb NOT NULL,
    hash       text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (plan_name, version)
);

-- Fences: grows with each run and each restart, and never falls.
CREATE TABLE service_epoch (
    service text PRIMARY KEY,
    epoch   bigint NOT NULL
);

CREATE TABLE run (
    id               text PRIMARY KEY,
    service          text NOT NULL,
    sut              text NOT NULL,
    plan_name        text NOT NULL,
    plan_hash        text NOT NULL,
    -- The plan as it was when the run was submitted: later versions do not change it.
    plan             jsonb NOT NULL,
    phase            text NOT NULL,
    outcome          text,
    stop_code        text,
    stop_reason      text,
    epoch            bigint NOT NULL,
    state            jsonb NOT NULL,
    -- Grows with each decision; whoever updates by an old one has lost the run.
    version          bigint NOT NULL,
    journal_sequence bigint NOT NULL,
    submitted_at     timestamptz NOT NULL,
    finished_at      timestamptz,
    -- When Kafka took the last record that tells of the end; it is repeated until then.
    farewell_at      timestamptz
);

-- Never two live runs on one service, whatever the code believes.
CREATE UNIQUE INDEX run_live_per_service ON run (service) WHERE phase <> 'Finished';
CREATE INDEX run_newest ON run (submitted_at DESC, id DESC);
CREATE INDEX run_without_farewell ON run (id) WHERE phase = 'Finished' AND farewell_at IS NULL;

-- Each decision with the inputs it was made from.
CREATE TABLE journal (
    run_id   text NOT NULL REFERENCES run (id),
    sequence bigint NOT NULL,
    at       timestamptz NOT NULL,
    phase    text NOT NULL,
    notable  boolean NOT NULL,
    -- The exact instant that decide was given; timestamptz holds microseconds only.
    decided  text NOT NULL,
    event    jsonb NOT NULL,
    decision jsonb NOT NULL,
    PRIMARY KEY (run_id, sequence)
);

CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the journal is append-only';
END
$$;

CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE ON journal
    FOR EACH ROW EXECUTE FUNCTION journal_is_append_only();

CREATE TABLE judged_window (
    run_id      text NOT NULL REFERENCES run (id),
    sequence    bigint NOT NULL,
    started_at  timestamptz NOT NULL,
    phase       text NOT NULL,
    judgement   text NOT NULL,
    asked_ppm   integer NOT NULL,
    content     jsonb NOT NULL,
    PRIMARY KEY (run_id, sequence)
);

CREATE TABLE step (
    run_id  text NOT NULL REFERENCES run (id),
    number  integer NOT NULL,
    content jsonb NOT NULL,
    PRIMARY KEY (run_id, number)
);

CREATE TABLE capacity (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id      text NOT NULL UNIQUE REFERENCES run (id),
    service     text NOT NULL,
    instance    text NOT NULL,
    content     jsonb NOT NULL,
    recorded_at timestamptz NOT NULL
);

CREATE INDEX capacity_history ON capacity (service, id DESC);

CREATE TABLE idempotency_key (
    key        text PRIMARY KEY,
    body_hash  text NOT NULL,
    run_id     text NOT NULL REFERENCES run (id),
    created_at timestamptz NOT NULL
);
