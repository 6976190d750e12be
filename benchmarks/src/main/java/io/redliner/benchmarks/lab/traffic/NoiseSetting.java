// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Noise on a server under test and its peers. Names and figures are those of the study that the noise gate is from.
 *
 * @param name short
 * @param shared what hits all at once
 * @param peers what hits each of the simulated peers alone; empty when none is simulated
 * @param coupled whether the server under test slows everybody down when it is above 80 % of its capacity: no noise
 * @param evenPeers whether the peers are never slow in bursts of their own, whatever the server under test is
 * @param signs noise as the machine's counters show it
 * @param elsewhere the last peers, which are on other machines: they suffer noise of the same kind at other times
 */
public record NoiseSetting(String name, NoiseSource shared, List<NoiseSource> peers, boolean coupled,
        boolean evenPeers, NoiseSource signs, int elsewhere) {

    /** The peers are not simulated: they answer at once, and evenly. */
    public static final NoiseSetting NONE = new NoiseSetting("none", NoiseSource.NONE, List.of(), false, false,
            NoiseSource.NONE, 0);

    private static final NoiseSource ILL = NoiseSource.NONE.stealing(0.3, 1.3, 3, 1, 10).stalling(20, 1);

    private static final List<NoiseSetting> ALL = List.of(NONE,
            of("quiet", NoiseSource.NONE),
            of("stall20", NoiseSource.NONE.stalling(20, 1)),
            of("stall8", NoiseSource.NONE.stalling(8, 1)),
            strong(2), strong(5), strong(10), strong(20), strong(25), strong(40), strong(45),
            blips(5), blips(10), blips(20), mild(2), mild(5), mild(10), mild(20), mild(40),
            of("mild20stops", NoiseSource.NONE.stealing(0.2, 1.1, 1.6, 0.5, 5).until(130)),
            of("weak40", NoiseSource.NONE.stealing(0.4, 1.1, 1.3, 1, 10)),
            of("proxy10", NoiseSource.NONE.pausing(10)),
            of("mixed", NoiseSource.NONE.stalling(25, 1).stealing(0.25, 1.3, 3, 1, 10).pausing(25)),
            // One of the peers is ill.
            new NoiseSetting("sick1", NoiseSource.NONE,
                    List.of(NoiseSource.NONE.stealing(0.9, 1.5, 3, 5, 30).stalling(5, 1), NoiseSource.NONE,
                            NoiseSource.NONE),
                    false, false, NoiseSource.NONE, 0),
            // Each of the peers is ill by itself.
            new NoiseSetting("sick3", NoiseSource.NONE, List.of(ILL, ILL, ILL), false, false,
                    NoiseSource.NONE, 0),
            new NoiseSetting("sick3+steal", NoiseSource.NONE.stealing(0.25, 1.3, 3, 1, 10), List.of(ILL, ILL, ILL),
                    false, false, NoiseSource.NONE.stealing(0.25, 1.3, 3, 1, 10), 0),
            new NoiseSetting("coupled", NoiseSource.NONE, three(), true, false, NoiseSource.NONE, 0),
            new NoiseSetting("own", NoiseSource.NONE, three(), false, true, NoiseSource.NONE, 0),
            ghost(5), ghost(20), ghost(40));

    public NoiseSetting {
        peers = List.copyOf(peers);
    }

    /**
     * Returns the same noise with other simulated peers.
     *
     * @param fewerPeers on the machine of the server under test, at most as many as now
     * @param onOtherMachines further peers
     */
    public NoiseSetting with(int fewerPeers, int onOtherMachines) {
        var here = peers.subList(0, Math.min(fewerPeers, peers.size()));
        return new NoiseSetting(name, shared,
                Stream.concat(here.stream(), Collections.nCopies(onOtherMachines, NoiseSource.NONE).stream()).toList(),
                coupled, evenPeers, signs, onOtherMachines);
    }

    /** Returns the number of simulated peers on the machine of the server under test. */
    public int neighbours() {
        return peers.size() - elsewhere;
    }

    /** All names. */
    public static List<String> names() {
        return ALL.stream().map(NoiseSetting::name).toList();
    }

    /**
     * One of them.
     *
     * @throws IllegalArgumentException when there is none of this name
     */
    public static NoiseSetting named(String name) {
        return ALL.stream().filter(setting -> setting.name.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no noise '" + name + "': choose from " + names()));
    }

    /** @param percent of the time in which processors are stolen: service times x 1.3 to 3, for 1 to 10 s each */
    private static NoiseSetting strong(int percent) {
        return of("steal" + percent, NoiseSource.NONE.stealing(percent / 100.0, 1.3, 3, 1, 10));
    }

    /** @param percent of the time in which the machine is a little slower: service times x 1.1 to 1.6, for 0.5 to 5 s each */
    private static NoiseSetting mild(int percent) {
        return of("mild" + percent, NoiseSource.NONE.stealing(percent / 100.0, 1.1, 1.6, 0.5, 5));
    }

    /** @param percent of the time in which the machine is a little slower, for 0.1 to 0.6 s each */
    private static NoiseSetting blips(int percent) {
        return of("blips" + percent, NoiseSource.NONE.stealing(percent / 100.0, 1.1, 1.6, 0.1, 0.6));
    }

    /** Noise that the counters show for a percentage of the time, and that slows nobody. */
    private static NoiseSetting ghost(int percent) {
        return new NoiseSetting("ghost" + percent, NoiseSource.NONE, three(), false, false,
                strong(percent).signs(), 0);
    }

    private static NoiseSetting of(String name, NoiseSource shared) {
        return new NoiseSetting(name, shared, three(), false, false, shared, 0);
    }

    private static List<NoiseSource> three() {
        return List.of(NoiseSource.NONE, NoiseSource.NONE, NoiseSource.NONE);
    }
}
