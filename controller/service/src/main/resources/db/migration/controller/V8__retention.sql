-- SPDX-License-Identifier: Apache-2.0

-- Whether a finished run still has its journal and windows: 'Kept', 'Going' from the first row on that is removed, 'Gone'.
ALTER TABLE run ADD COLUMN details text NOT NULL DEFAULT 'Kept' CHECK (details IN ('Kept', 'Going', 'Gone'));
CREATE INDEX run_with_details ON run (finished_at) WHERE phase = 'Finished' AND details <> 'Gone';

CREATE INDEX run_request_of_run ON run_request (run_id);
CREATE INDEX schedule_firing_settled ON schedule_firing (fired_at) WHERE state <> 'Waiting';
CREATE INDEX deployment_received ON deployment (received_at);

-- The journal stays append-only: rows can only go when the run is over, and it is written down first that they go.
CREATE OR REPLACE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
            SELECT 1 FROM run WHERE id = OLD.run_id AND phase = 'Finished' AND details = 'Going') THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the journal is append-only';
END
$$;

-- One row: of what time entries of the audit log were removed. No later ones can be.
CREATE TABLE audit_horizon (
    only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    removed_before timestamptz NOT NULL
);
INSERT INTO audit_horizon (removed_before) VALUES ('epoch');

CREATE FUNCTION audit_entry_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.at < (SELECT removed_before FROM audit_horizon) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE FUNCTION audit_outcome_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT at FROM audit_entry WHERE id = OLD.entry_id) < (SELECT removed_before FROM audit_horizon) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END
$$;

DROP TRIGGER audit_entry_append_only ON audit_entry;
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE ON audit_entry
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION audit_entry_is_kept();
DROP TRIGGER audit_outcome_append_only ON audit_outcome;
CREATE TRIGGER audit_outcome_append_only BEFORE UPDATE ON audit_outcome
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_outcome_kept BEFORE DELETE ON audit_outcome FOR EACH ROW EXECUTE FUNCTION audit_outcome_is_kept();
