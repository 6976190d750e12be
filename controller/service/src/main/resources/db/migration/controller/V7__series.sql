-- SPDX-License-Identifier: Apache-2.0

-- Profiles that are made of several runs, one after another. The members are in the state.
CREATE TABLE series (
    id              text PRIMARY KEY,
    service         text NOT NULL,
    plan_name       text NOT NULL,
    plan_hash       text NOT NULL,
    -- The plan as it was when the series was submitted: its runs' plans are derived from it.
    plan            jsonb NOT NULL,
    state           jsonb NOT NULL,
    -- Grows with each decision; whoever updates by an old one lost the race, and looks again.
    version         bigint NOT NULL,
    created_at      timestamptz NOT NULL,
    finished_at     timestamptz,
    idempotency_key text UNIQUE,
    body_hash       text NOT NULL
);

CREATE INDEX series_newest ON series (created_at DESC, id DESC);
CREATE INDEX series_live ON series (created_at) WHERE finished_at IS NULL;
