// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

/**
 * Records that no component wrote.
 *
 * @param at ms after the submission
 * @param count how many records
 * @param every ms between two of them
 */
record Forgery(Kind kind, long at, int count, long every) {

    /** The topics: on each a writer is believed about different things. */
    enum Topic {
        LEASES, RUNS, VERDICTS, OBSERVATIONS, LEASE_STATUS
    }

    /** The kinds of records. */
    enum Kind {
        /** The newest lease with absurd fields. */
        LEASE_ABSURD(Topic.LEASES),
        /** The next lease of the live run, with any share and bound. */
        LEASE_LIVE(Topic.LEASES),
        /** A lease of the live run at its highest share or at 100 %, with a sequence that no controller reaches. */
        LEASE_SEQUENCE(Topic.LEASES),
        /** A lease that was in the topic before. */
        LEASE_REPLAYED(Topic.LEASES),
        /** A lease of a later epoch, which only signatures could tell from a controller's. */
        LEASE_NEXT_EPOCH(Topic.LEASES),
        /** The live run's release. */
        LEASE_RELEASED(Topic.LEASES),
        /** A good lease or engaged kill switch under the key of nobody, or bytes that are none. */
        LEASE_KEY(Topic.LEASES),
        /** A tombstone of the service or of the kill switch. */
        LEASE_TOMBSTONE(Topic.LEASES),
        /** The kill switch is released, by any clock. */
        SWITCH_RELEASED(Topic.LEASES),
        /** The kill switch is engaged, by any clock. */
        SWITCH_ENGAGED(Topic.LEASES),
        /** Another run is live, of a later epoch. */
        RUN_NEXT_EPOCH(Topic.RUNS),
        /** The live run or another one is over. */
        RUN_FINISHED(Topic.RUNS),
        /** The newest run with absurd fields, under any key, or bytes that are none. */
        RUN_ABSURD(Topic.RUNS),
        /** A tombstone. */
        RUN_TOMBSTONE(Topic.RUNS),
        /** An answer that nobody measured. */
        VERDICT_ANSWER(Topic.VERDICTS),
        /** The next verdict wants more. */
        VERDICT_RAISE(Topic.VERDICTS),
        /** The newest verdict with absurd fields. */
        VERDICT_ABSURD(Topic.VERDICTS),
        /** The next observation of an instance, in which all is well. */
        OBSERVATION_HEALTHY(Topic.OBSERVATIONS),
        /** The newest observation with absurd fields. */
        OBSERVATION_ABSURD(Topic.OBSERVATIONS),
        /** The newest status with absurd fields. */
        STATUS_ABSURD(Topic.LEASE_STATUS),
        /** A redirector says that the live run's lease is natural, expired, or in force. */
        STATUS_OTHER_STATE(Topic.LEASE_STATUS),
        /** A redirector that does not exist. */
        STATUS_STRANGER(Topic.LEASE_STATUS);

        private final Topic topic;

        Kind(Topic topic) {
            this.topic = topic;
        }

        Topic topic() {
            return topic;
        }
    }
}
