// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.v1.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictPublisherTest {

    private static final String STATE = ProducerAckTracker.lane(0);

    private final ProducerAckTracker acknowledgements = new ProducerAckTracker();

    private final List<Verdict> published = new ArrayList<>();

    private final List<Runnable> publishing = new ArrayList<>();

    private final VerdictPublisher publisher = new VerdictPublisher(acknowledgements, STATE, "verdicts", said -> {
        published.add(said);
        String lane = ProducerAckTracker.lane("verdicts", said.getService());
        long ticket = acknowledgements.send(lane);
        publishing.add(() -> acknowledgements.settled(lane, ticket));
    });

    @Test
    void a_verdict_waits_until_its_state_has_arrived() {
        long earlier = acknowledgements.send(STATE);
        long state = acknowledgements.send(STATE);
        publisher.add(List.of(said("a", 1)));

        publisher.release();
        acknowledgements.settled(STATE, state);
        publisher.release();
        assertThat(published).as("what was sent before has not arrived").isEmpty();

        acknowledgements.settled(STATE, earlier);
        publisher.release();
        assertThat(published).containsExactly(said("a", 1));
    }

    @Test
    void what_is_sent_later_is_not_waited_for() {
        publisher.add(List.of(said("a", 1)));
        acknowledgements.send(STATE);

        publisher.release();

        assertThat(published).containsExactly(said("a", 1));
    }

    @Test
    void a_verdict_is_unconfirmed_until_it_has_arrived_itself() {
        publisher.add(List.of(said("a", 1), said("b", 1)));
        assertThat(publisher.unconfirmed("a")).containsExactly(said("a", 1));

        publisher.release();
        publisher.add(List.of(said("a", 2)));
        assertThat(publisher.unconfirmed("a")).containsExactly(said("a", 1), said("a", 2));

        publishing.forEach(Runnable::run);
        assertThat(publisher.unconfirmed("a")).containsExactly(said("a", 2));
        assertThat(publisher.unconfirmed("b")).isEmpty();
    }

    @Test
    void a_partition_without_a_leader_holds_up_no_other() {
        acknowledgements.send(ProducerAckTracker.lane(1));
        acknowledgements.send(ProducerAckTracker.lane("verdicts", "b"));
        publisher.add(List.of(said("a", 1)));

        publisher.release();
        publishing.forEach(Runnable::run);

        assertThat(published).containsExactly(said("a", 1));
        assertThat(publisher.unconfirmed("a")).isEmpty();
    }

    private static Verdict said(String service, long sequence) {
        return Verdict.newBuilder().setService(service).setSequence(sequence).build();
    }
}
