// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.Replay.BoundsOverride;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ReplayTest {

    private static Journal simulated(long seed) {
        List<Simulation.Entry> happened = new Simulation(seed).run();
        List<JournalEntry> entries = new ArrayList<>();
        for (Simulation.Entry entry : happened) {
            entries.add(new JournalEntry(entries.size() + 1L, entry.at(), entry.event(), null, entry.decision()));
        }
        return new Journal(happened.getFirst().before(), entries);
    }

    private static boolean raised(Journal journal) {
        Share natural = journal.first().facts().naturalShare();
        return journal.entries().stream().anyMatch(entry -> entry.decision().state() instanceof RunState.Leased leased
                && leased.course().share().above(natural));
    }

    @Test
    void the_same_events_give_the_same_decisions() {
        for (long seed = 1; seed <= 200; seed++) {
            Journal journal = simulated(seed);

            assertThat(Replay.again(journal, BoundsOverride.OWN)).as("seed %s", seed).isEmpty();
        }
    }

    @Test
    void a_decision_that_was_tampered_with_is_found() {
        Journal journal = simulated(1);
        List<JournalEntry> forged = new ArrayList<>(journal.entries());
        JournalEntry entry = forged.get(4);
        forged.set(4, new JournalEntry(5, entry.decidedAt().plusSeconds(1), entry.event(), null, entry.decision()));

        List<Replay.Difference> differences = Replay.again(new Journal(journal.first(), forged), BoundsOverride.OWN);

        assertThat(differences).extracting(Replay.Difference::number).contains(4);
    }

    @Test
    void another_policy_would_have_asked_for_less() {
        Journal journal = LongStream.range(1, 100).mapToObj(ReplayTest::simulated).filter(ReplayTest::raised)
                .findFirst()
                .orElseThrow();
        Share cap = journal.first().facts().naturalShare();

        List<Replay.Difference> differences = Replay.again(journal, new BoundsOverride(cap, null, null, null));

        assertThat(differences).isNotEmpty();
        assertThat(differences).allSatisfy(difference -> assertThat(difference.otherwise().state())
                .isInstanceOfSatisfying(RunState.Leased.class,
                        leased -> assertThat(leased.course().share().above(cap)).isFalse()));
        assertThat(ReplayDiffFormatter.summary(journal, differences)).contains("come out otherwise");
        assertThat(ReplayDiffFormatter.of(differences.getFirst())).contains("recorded", "otherwise", cap.toString());
    }

    @Test
    void what_redirectors_report_between_decisions_hides_no_decision() {
        Journal journal = simulated(1);
        int late = journal.entries().size() / 2;
        List<JournalEntry> forged = new ArrayList<>(journal.entries().subList(0, late));
        JournalEntry entry = journal.entries().get(late + 1);
        RunState skipped = journal.entries().get(late).decision().state();
        forged.add(new JournalEntry(late + 1L, entry.decidedAt(), entry.event(), skipped, entry.decision()));

        assertThatThrownBy(() -> new Journal(journal.first(), forged)).hasMessageContaining("entry " + (late + 1))
                .hasMessageContaining("more than reports of redirectors");
    }

    @Test
    void a_journal_with_a_hole_is_none() {
        Journal journal = simulated(1);
        List<JournalEntry> holed = new ArrayList<>(journal.entries());
        holed.remove(3);

        assertThatThrownBy(() -> new Journal(journal.first(), holed)).hasMessageContaining("entry 5")
                .hasMessageContaining("entry 4 belongs");
    }
}
