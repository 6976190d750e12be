// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.v1.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private final Acknowledgements acknowledgements = new Acknowledgements();

    private final List<Said> published = new ArrayList<>();

    private final List<Long> publishing = new ArrayList<>();

    private final Outbox outbox = new Outbox(acknowledgements, said -> {
        published.add(said);
        publishing.add(acknowledgements.send());
    });

    @Test
    void a_verdict_waits_until_its_state_has_arrived() {
        long earlier = acknowledgements.send();
        long state = acknowledgements.send();
        outbox.add(List.of(said("a", 1)));

        outbox.release();
        acknowledgements.settled(state);
        outbox.release();
        assertThat(published).as("what was sent before has not arrived").isEmpty();

        acknowledgements.settled(earlier);
        outbox.release();
        assertThat(published).containsExactly(said("a", 1));
    }

    @Test
    void what_is_sent_later_is_not_waited_for() {
        outbox.add(List.of(said("a", 1)));
        acknowledgements.send();

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

        publishing.forEach(acknowledgements::settled);
        assertThat(outbox.unconfirmed("a")).containsExactly(said("a", 2));
        assertThat(outbox.unconfirmed("b")).isEmpty();
    }

    private static Said said(String service, long sequence) {
        return new Said(Verdict.newBuilder().setService(service).setSequence(sequence).build());
    }
}
