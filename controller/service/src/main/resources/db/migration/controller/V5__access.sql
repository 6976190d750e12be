-- SPDX-License-Identifier: Apache-2.0

CREATE TABLE api_token (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text NOT NULL,
    -- SHA-256 in hex. The token itself is 256 random bits: nobody can guess it, so no slow hash is needed.
    hash         text NOT NULL UNIQUE,
    role         text NOT NULL CHECK (role IN ('VIEWER', 'OPERATOR', 'ADMIN')),
    teams        text[] NOT NULL,
    created_by   text NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_by   text,
    revoked_at   timestamptz
);

-- A revoked token stays for the audit, and its name is free again.
CREATE UNIQUE INDEX api_token_name ON api_token (name) WHERE revoked_at IS NULL;

CREATE TABLE service_owner (
    service text PRIMARY KEY,
    team    text NOT NULL,
    set_by  text NOT NULL,
    set_at  timestamptz NOT NULL
);

-- Who asked for what: written before it is done.
CREATE TABLE audit_entry (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL,
    actor    text NOT NULL,
    kind     text NOT NULL,
    address  text NOT NULL,
    method   text NOT NULL,
    resource text NOT NULL
);

CREATE INDEX audit_entry_actor ON audit_entry (actor, id DESC);
CREATE INDEX audit_entry_at ON audit_entry (at);

-- What became of it: written afterwards. An entry without one was cut off.
CREATE TABLE audit_outcome (
    entry_id bigint PRIMARY KEY REFERENCES audit_entry (id),
    at       timestamptz NOT NULL,
    status   integer NOT NULL,
    service  text,
    run_id   text,
    reason   text
);

CREATE INDEX audit_outcome_service ON audit_outcome (service, entry_id DESC) WHERE service IS NOT NULL;

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_entry_not_emptied BEFORE TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_outcome_append_only BEFORE UPDATE OR DELETE ON audit_outcome
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_outcome_not_emptied BEFORE TRUNCATE ON audit_outcome
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
