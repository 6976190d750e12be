// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.run.RunAnalysisState;
import io.redliner.analyzer.run.ServiceAnalysisState;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.search.BayesianCapacitySearch;
import io.redliner.analyzer.search.GatedState;
import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchPhaseState;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.search.SearchState;
import io.redliner.analyzer.search.SimulatedRun;
import io.redliner.analyzer.state.SnapshotCodec;
import io.redliner.analyzer.state.UnusableSnapshotException;
import io.redliner.analyzer.windowing.WindowingState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** A search that is stored after a window and taken up by another analyzer. */
class ResumedSearchTest {

    private static final Map<Integer, List<SimulatedRun.Moment>> RUNS = new HashMap<>();

    private static final Map<Integer, List<SimulatedRun.Moment>> BESIDE_PEERS = new HashMap<>();

    @Property(tries = 20)
    void goes_on_as_if_nothing_had_happened(@ForAll @IntRange(min = 1, max = 3) int seed,
            @ForAll @Size(min = 1, max = 4) Set<@IntRange(max = 99) Integer> percents) throws Exception {
        var moments = recorded(seed);
        var search = new BayesianCapacitySearch(SearchSettings.defaults());
        SearchState state = search.begin();
        for (int i = 0; i < moments.size(); i++) {
            int percent = 100 * i / moments.size();
            if (percents.contains(percent) && 100 * (i - 1) / moments.size() < percent) {
                state = stored(state);
                search = new BayesianCapacitySearch(SearchSettings.defaults());
            }

            state = search.advise(state, moments.get(i).window());

            assertThat(state.advice()).as("window %s", i).isEqualTo(moments.get(i).advice());
        }
        assertThat(state.ended()).isTrue();
    }

    /** Not while there is noise or soon before: what was seen in the windows before a takeover is not looked at again. */
    @Property(tries = 20)
    void behind_a_gate_goes_on_as_if_nothing_had_happened(@ForAll @IntRange(min = 1, max = 3) int seed,
            @ForAll @Size(min = 1, max = 4) Set<@IntRange(min = 65, max = 250) Integer> takeovers) throws Exception {
        var moments = BESIDE_PEERS.computeIfAbsent(seed, SimulatedRun::besidePeers);
        var search = new NoiseGate(SearchSettings.defaults());
        SearchState state = search.begin();
        for (int second = 0; second < moments.size(); second++) {
            if (takeovers.contains(second) && quietAround(second)) {
                state = stored(state);
                search = new NoiseGate(SearchSettings.defaults());
            }

            state = search.advise(state, moments.get(second).window());

            assertThat(state.advice()).as("window %s", second).isEqualTo(moments.get(second).advice());
        }
        assertThat(state.ended()).isTrue();
    }

    private static boolean quietAround(int second) {
        return SimulatedRun.NOISE.stream().noneMatch(noise -> second > noise - 7 && second < noise + 12);
    }

    @Test
    void every_state_behind_a_gate_is_read_as_it_was_written() throws Exception {
        var moments = SimulatedRun.besidePeers(1);
        assertThat(moments).extracting(moment -> (Object) ((GatedState) moment.state()).mode().getClass()).contains(
                GatedState.Mode.Watching.class, GatedState.Mode.Open.class, GatedState.Mode.Shut.class,
                GatedState.Mode.Opening.class);

        for (var moment : moments) {
            assertThat(stored(moment.state())).isEqualTo(moment.state());
        }
    }

    @Test
    void every_state_of_a_run_is_read_as_it_was_written() throws Exception {
        var moments = recorded(1);
        assertThat(moments).extracting(moment -> (Object) moment.state().getClass()).contains(
                SearchPhaseState.Baselining.class,
                SearchPhaseState.Ramping.class, SearchPhaseState.Confirming.class, SearchPhaseState.Draining.class,
                SearchPhaseState.Ended.class);

        for (var moment : moments) {
            assertThat(stored(moment.state())).isEqualTo(moment.state());
        }
    }

    private static List<SimulatedRun.Moment> recorded(int seed) {
        return RUNS.computeIfAbsent(seed, SimulatedRun::ordinary);
    }

    private SearchState stored(SearchState state) throws UnusableSnapshotException {
        return SnapshotCodec.state(SnapshotCodec.write(of(state))).run().search();
    }

    /** The state of a service that has seen nothing but the search. */
    static ServiceAnalysisState of(SearchState state) {
        return new ServiceAnalysisState(WindowingState.EMPTY, 0, OptionalDouble.empty(),
                new RunAnalysisState("run", 1, 1, false, Optional.empty(), true, state, RunStatistics.NONE));
    }
}
