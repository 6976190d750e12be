// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.acceptance.loop.SimulatedController.Entry;
import io.redliner.acceptance.loop.SimulatedProxy.LeaseTag;
import io.redliner.controller.plan.Ppm;
import io.redliner.controller.run.AdviceAction;
import io.redliner.controller.run.Course;
import io.redliner.controller.run.Decision;
import io.redliner.controller.run.Judgement;
import io.redliner.controller.run.Lease;
import io.redliner.controller.run.RunDecider;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.RunFacts;
import io.redliner.controller.run.RunState;
import io.redliner.controller.run.StopCode;
import io.redliner.controller.run.WindowVerdict;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds whatever breaks, looked at after every event. The world's time is true, whatever clocks say. */
final class Promises {

    /** What a message between a redirector and a proxy takes at most. */
    static final int LINK_MS = 15;

    /** A controller and an analyzer end all windows in time that are not older, ms. */
    private static final Duration FRESH = Duration.ofSeconds(4);

    private record Issued(long at, int ppm, Duration ahead) {}

    private final VirtualTime time;

    private final RunFacts facts;

    private final int natural;

    private final long end;

    private final long ttl;

    private final Map<LeaseTag, Issued> issued = new HashMap<>();

    private final Map<String, Long> seenEpochs = new HashMap<>();

    private final Set<Long> measured = new HashSet<>();

    private int highest;

    Promises(VirtualTime time, RunFacts facts) {
        this.time = time;
        this.facts = facts;
        this.natural = facts.naturalShare().value();
        this.end = VirtualTime.since(facts.submittedAt()) + facts.bounds().maxDuration().toMillis();
        this.ttl = facts.times().leaseTtl().toMillis();
    }

    /** The largest share that was in force anywhere, ppm. */
    int highest() {
        return highest;
    }

    /** The analyzer was told what the SUT did in the window that began then. */
    void measured(Instant windowStart) {
        measured.add(windowStart.toEpochMilli());
    }

    /** A controller sends a lease, or tries to. */
    void issued(Lease lease, Duration ahead) {
        LeaseTag tag = new LeaseTag(lease.epoch(), lease.sequence());
        assertThat(lease.share().above(facts.bounds().maxShare())).as("maxShare in %s", lease).isFalse();
        assertThat(issued.put(tag, new Issued(time.now(), lease.share().value(), ahead))).as("%s again", tag).isNull();
    }

    /** A redirector hears of an epoch. */
    void seen(String redirector, long epoch) {
        seenEpochs.merge(redirector, epoch, Math::max);
    }

    /** A redirector obeys a lease. */
    void obeyed(String redirector, LeaseTag lease) {
        assertThat(lease.epoch()).as("a lease of a controller that lost its run, at %s", redirector)
                .isGreaterThanOrEqualTo(seenEpochs.getOrDefault(redirector, 0L));
    }

    /** What the proxies do now. */
    void traffic(List<SimulatedProxy> proxies) {
        for (SimulatedProxy proxy : proxies) {
            LeaseTag lease = proxy.lease();
            if (lease != null) {
                inForce(proxy, lease);
            }
        }
    }

    private void inForce(SimulatedProxy proxy, LeaseTag lease) {
        Issued known = issued.get(lease);
        assertThat(known).as("%s of %s was never sent", lease, proxy.node).isNotNull();
        int share = proxy.share();
        assertThat(share).as("share at %s by %s", proxy.node, lease).isEqualTo(known.ppm());
        assertThat(share).as("maxShare at %s", proxy.node).isLessThanOrEqualTo(facts.bounds().maxShare().value());
        // A clock that is ahead makes leases that come late look young: they hold a TTL from when they came in.
        long late = known.ahead().isPositive() ? known.ahead().toMillis() : 0;
        assertThat(time.now()).as("dead man: %s of %s is from %s", lease, proxy.node, known.at())
                .isLessThanOrEqualTo(known.at() + ttl + LINK_MS + late);
        if (share > natural) {
            assertThat(time.now()).as("maxDuration at %s", proxy.node).isLessThanOrEqualTo(end + LINK_MS);
            highest = Math.max(highest, share);
        }
    }

    /** What a controller does about an event, whether it drives the run or only believes so. */
    void decided(RunState before, RunEvent event, Decision decision, Instant clock) {
        if (!(decision.state() instanceof RunState.Leased after)) {
            return;
        }
        Ppm share = after.course().share();
        assertThat(share.above(facts.bounds().maxShare())).as("maxShare").isFalse();
        if (before instanceof RunState.Leased earlier && share.above(earlier.course().share())
                && !(after instanceof RunState.Restoring)) {
            raised(earlier.course().share(), share, event, clock);
        }
        if (after instanceof RunState.Searching searching) {
            searching(searching, event, clock);
        }
    }

    private void raised(Ppm from, Ppm to, RunEvent event, Instant clock) {
        double most = from.value() == 0 ? natural : from.value() * facts.bounds().maxRaise();
        assertThat((double) to.value()).as("maxRaise from %s", from).isLessThanOrEqualTo(most);
        assertThat(event).as("what raises a share").isInstanceOf(RunEvent.VerdictArrived.class);
        WindowVerdict verdict = ((RunEvent.VerdictArrived) event).verdict();
        assertThat(verdict.judgement()).as("what raises a share").isEqualTo(Judgement.HOLDS);
        assertThat(verdict.advice().action()).as("what raises a share").isIn(AdviceAction.GO, AdviceAction.HOLD);
        assertThat(Duration.between(verdict.windowEnd(), clock)).as("age of what raises a share")
                .isLessThanOrEqualTo(FRESH);
        assertThat(measured).as("windows that were measured").contains(verdict.windowStart().toEpochMilli());
    }

    private void searching(RunState.Searching state, RunEvent event, Instant clock) {
        Course course = state.course();
        boolean tested = course.share().above(facts.naturalShare());
        assertThat(course.telemetry().unknownInRow()).as("unknown windows in a row").isLessThan(3);
        if (course.telemetry().unknownInRow() == 2 || state instanceof RunState.Paused) {
            assertThat(tested).as("tested although nothing is known, or paused").isFalse();
        }
        Instant heardAt = course.telemetry().heardAt();
        if (event instanceof RunEvent.Tick && heardAt != null) {
            Duration patience = facts.bounds().window().multipliedBy(2).plusMillis(1500);
            Duration silence = Duration.between(heardAt, clock);
            assertThat(silence).as("silence").isLessThanOrEqualTo(patience.plusSeconds(1));
            assertThat(tested && silence.compareTo(patience) > 0).as("tested in a silence").isFalse();
            assertThat(clock).as("maxDuration").isBefore(facts.submittedAt().plus(facts.bounds().maxDuration()));
        }
        if (tested && course.harm().windows() > 0) {
            assertThat(course.harm().requests()).as("harm budget")
                    .isLessThanOrEqualTo(course.harm().allowed(facts.bounds()));
        }
    }

    /** The run says that it is over. */
    void ended(RunState.Finished finished, List<SimulatedProxy> proxies) {
        assertThat(finished.ending().reason().detail()).isNotBlank();
        if (finished.restored().acknowledged()) {
            natural(proxies, "acknowledged");
        }
    }

    /** Nobody moves traffic any more. */
    void natural(List<SimulatedProxy> proxies, String when) {
        for (SimulatedProxy proxy : proxies) {
            assertThat(proxy.share()).as("natural share at %s, %s", proxy.node, when).isEqualTo(natural);
        }
    }

    /** The journal leads to the same end again. */
    static void replayed(List<Entry> journal) {
        RunState state = journal.getFirst().before();
        for (Entry entry : journal) {
            assertThat(entry.before()).isEqualTo(state);
            Decision again = RunDecider.decide(state, entry.event(), entry.at());
            assertThat(again).isEqualTo(entry.decision());
            state = again.state();
        }
    }

    /**
     * No more was harmed than was allowed, by the world's own count.
     *
     * @param harmed requests
     * @param oneWindow requests of the SUT at most in one window
     */
    void harm(RunState.Finished finished, double harmed, double oneWindow) {
        Double allowed = finished.harm().allowed();
        if (allowed != null && finished.ending().reason().code() != StopCode.CONTROLLER_LOST) {
            assertThat(harmed).as("harm, of which %s was allowed and %s was judged", allowed,
                    finished.harm().requests()).isLessThanOrEqualTo(allowed + oneWindow);
        }
    }
}
