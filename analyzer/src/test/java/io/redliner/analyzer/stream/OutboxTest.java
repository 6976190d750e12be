// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.v1.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private static final String STATE = Acknowledgements.lane(0);

    private final Acknowledgements acknowledgements = new Acknowledgements();

    private final List<Said> published = new ArrayList<>();

    private final List<Runnable> publishing = new ArrayList<>();

    private final Outbox outbox = new Outbox(acknowledgements, STATE, "verdicts", said -> {
        published.add(said);
        String lane = Acknowledgements.lane("verdicts", said.service());
        long ticket = acknowledgements.send(lane);
        publishing.add(() -> acknowledgements.settled(lane, ticket));
    });

    @Test
    void a_verdict_waits_until_its_state_has_arrived() {
        long earlier = acknowledgements.send(STATE);
        long state = acknowledgements.send(STATE);
        outbox.add(List.of(said("a", 1)));

        outbox.release();
        acknowledgements.settled(STATE, state);
        outbox.release();
        assertThat(published).as("what was sent before has not arrived").isEmpty();

        acknowledgements.settled(STATE, earlier);
        outbox.release();
        assertThat(published).containsExactly(said("a", 1));
    }

    @Test
    void what_is_sent_later_is_not_waited_for() {
        outbox.add(List.of(said("a", 1)));
        acknowledgements.send(STATE);

        outbox.release();

        assertThat(published).containsExactly(said("a", 1));
    }

    @Test
    void a_verdict_is_unconfirmed_until_it_has_arrived_itself() {
        outbox.add(List.of(said("a", 1), said("b", 1)));
        assertThat(outbox.unconfirmed("a")).containsExactly(said("a", 1));

        outbox.release();
        outbox.add(List.of(said("a", 2)));
        assertThat(outbox.unconfirmed("a")).containsExactly(said("a", 1), said("a", 2));

        publishing.forEach(Runnable::run);
        assertThat(outbox.unconfirmed("a")).containsExactly(said("a", 2));
        assertThat(outbox.unconfirmed("b")).isEmpty();
    }

    @Test
    void a_partition_without_a_leader_holds_up_no_other() {
        acknowledgements.send(Acknowledgements.lane(1));
        acknowledgements.send(Acknowledgements.lane("verdicts", "b"));
        outbox.add(List.of(said("a", 1)));

        outbox.release();
        publishing.forEach(Runnable::run);

        assertThat(published).containsExactly(said("a", 1));
        assertThat(outbox.unconfirmed("a")).isEmpty();
    }

    private static Said said(String service, long sequence) {
        return new Said(Verdict.newBuilder().setService(service).setSequence(sequence).build());
    }
}
