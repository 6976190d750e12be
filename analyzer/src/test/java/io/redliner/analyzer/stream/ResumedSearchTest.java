// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.evidence.Evidence;
import io.redliner.analyzer.run.RunState;
import io.redliner.analyzer.run.ServiceState;
import io.redliner.analyzer.search.RideState;
import io.redliner.analyzer.search.RidingSearch;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.search.SearchState;
import io.redliner.analyzer.search.SimulatedRun;
import io.redliner.analyzer.window.WindowsState;
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

    private final StateCodec codec = new StateCodec();

    @Property(tries = 20)
    void goes_on_as_if_nothing_had_happened(@ForAll @IntRange(min = 1, max = 3) int seed,
            @ForAll @Size(min = 1, max = 4) Set<@IntRange(max = 99) Integer> percents) throws Exception {
        var moments = recorded(seed);
        var search = new RidingSearch(SearchSettings.defaults());
        SearchState state = search.begin();
        for (int i = 0; i < moments.size(); i++) {
            int percent = 100 * i / moments.size();
            if (percents.contains(percent) && 100 * (i - 1) / moments.size() < percent) {
                state = stored(state);
                search = new RidingSearch(SearchSettings.defaults());
            }

            state = search.advise(state, moments.get(i).window());

            assertThat(state.advice()).as("window %s", i).isEqualTo(moments.get(i).advice());
        }
        assertThat(state.ended()).isTrue();
    }

    @Test
    void every_state_of_a_run_is_read_as_it_was_written() throws Exception {
        var moments = recorded(1);
        assertThat(moments).extracting(moment -> (Object) moment.state().getClass()).contains(
                RideState.Baselining.class,
                RideState.Ramping.class, RideState.Riding.class, RideState.Draining.class, RideState.Ended.class);

        for (var moment : moments) {
            assertThat(stored(moment.state())).isEqualTo(moment.state());
        }
    }

    private static List<SimulatedRun.Moment> recorded(int seed) {
        return RUNS.computeIfAbsent(seed, SimulatedRun::ordinary);
    }

    private SearchState stored(SearchState state) throws UnreadableStateException {
        return codec.read(codec.write(of(state), new Encoded()), state).run().search();
    }

    /** The state of a service that has seen nothing but the search. */
    static ServiceState of(SearchState state) {
        return new ServiceState(WindowsState.EMPTY, 0, OptionalDouble.empty(),
                new RunState("run", 1, 1, false, Optional.empty(), true, state, Evidence.NONE));
    }
}
