// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunProgress;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.simulation.SimulatedController.Entry;
import io.redliner.simulation.SimulatedProxy.Forged;
import io.redliner.simulation.SimulatedProxy.LeaseTag;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What holds whatever breaks, looked at after every event. The world's time is true, whatever clocks say. */
final class Promises {

    /** What a message between a redirector and a proxy takes at most. */
    static final int LINK_MS = 15;

    /** A controller and an analyzer end all windows in time that are not older, ms. */
    private static final Duration FRESH = Duration.ofSeconds(4);

    /**
     * One window of 600 requests or more decides: four standard deviations are tolerated, and chance may hide as many
     * again.
     */
    private static final double MEASURABLE_PPM = 150_000;

    /** The longest time of a message, with a report every second that says what became of it. */
    private static final long MAX_MESSAGE_MS = 13_000;

    /** How long a forged lease may be in force after it was written: the slowest message, and what redirectors believe at most. */
    static final long MAX_FORGED_MS = 6200 + io.redliner.redirector.lease.Lease.MAX_TTL.toMillis() + LINK_MS;

    private static final Set<SearchAdvice.Action> RAISING = EnumSet.of(SearchAdvice.Action.GO,
            SearchAdvice.Action.HOLD);

    private record Issued(long at, int ppm, Duration ahead) {}

    private final VirtualTime time;

    private RunFacts facts;

    private final int natural;

    private long end;

    private final long ttl;

    private final Map<LeaseTag, Issued> issued = new HashMap<>();

    private final Map<String, Long> seenEpochs = new HashMap<>();

    private final Map<SimulatedRedirector, Long> obeyedEpochs = new HashMap<>();

    private final Map<SimulatedProxy, Integer> shares = new HashMap<>();

    private final Set<Long> measured = new HashSet<>();

    private int highest;

    private boolean forging;

    Promises(VirtualTime time, RunFacts facts) {
        this.time = time;
        this.natural = facts.naturalShare().ppm();
        this.ttl = facts.times().leaseTtl().toMillis();
        begin(facts);
    }

    /** From now on it is about this run. */
    void begin(RunFacts next) {
        facts = next;
        end = VirtualTime.since(facts.submittedAt()) + facts.bounds().maxDuration().toMillis();
    }

    /** The largest share that was in force anywhere, ppm. */
    int highest() {
        return highest;
    }

    /** The analyzer received the observation of the SUT for the window that began then. */
    void measured(Instant windowStart) {
        measured.add(windowStart.toEpochMilli());
    }

    /** Notes that a record arrives that no component wrote: what controllers decide in between is because of it. */
    void forged(Runnable arrival) {
        forging = true;
        arrival.run();
        forging = false;
    }

    /** A controller sends a lease, or tries to. */
    void issued(Lease lease, Duration ahead) {
        LeaseTag tag = new LeaseTag(lease.epoch(), lease.sequence(), null);
        require(!lease.share().above(facts.bounds().maxShare()), () -> lease + " is above maxShare");
        require(issued.put(tag, new Issued(time.now(), lease.share().ppm(), ahead)) == null,
                () -> tag + " was sent twice");
    }

    /** A redirector hears of an epoch. */
    void seen(String redirector, long epoch) {
        seenEpochs.merge(redirector, epoch, Math::max);
    }

    /**
     * A redirector obeys a lease that moves traffic. A release of the run moves it back, and is obeyed from any controller. A run that
     * somebody else invented keeps others away while its lease is in force: its next lease is newer than what the redirector obeyed,
     * and perhaps not than what it saw.
     */
    void obeyed(SimulatedRedirector redirector, LeaseTag lease, boolean released) {
        boolean invented = lease.forged() != null && lease.forged().opens();
        long seen = invented
                ? obeyedEpochs.getOrDefault(redirector, 0L)
                : seenEpochs.getOrDefault(redirector.name, 0L);
        require(released || Long.compareUnsigned(lease.epoch(), seen) >= 0,
                () -> redirector.name + " obeys " + lease + " of a controller that lost its run to " + seen);
        obeyedEpochs.merge(redirector, released ? 0 : lease.epoch(), Math::max);
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
        if (lease.forged() == null) {
            issuedInForce(proxy, lease);
        } else {
            forgedInForce(proxy, lease, lease.forged());
        }
    }

    private void forgedInForce(SimulatedProxy proxy, LeaseTag lease, Forged forged) {
        require(forged.opens() || proxy.share() <= bound(), () -> "share " + proxy.share() + " at " + proxy.node
                + " by " + lease + " is above the live run's maxShare");
        require(time.now() <= forged.at() + MAX_FORGED_MS, () -> lease + " of " + proxy.node + " is in force at "
                + time.now());
    }

    /** The natural share is always allowed. */
    private int bound() {
        return Math.max(natural, facts.bounds().maxShare().ppm());
    }

    private void issuedInForce(SimulatedProxy proxy, LeaseTag lease) {
        Issued known = issued.get(lease);
        require(known != null, () -> lease + " of " + proxy.node + " was never sent");
        int share = proxy.share();
        require(share == known.ppm(), () -> "share " + share + " at " + proxy.node + " by " + lease + " over "
                + known.ppm());
        require(share <= facts.bounds().maxShare().ppm(), () -> "share " + share + " at " + proxy.node
                + " is above maxShare");
        // A clock that is ahead makes leases that come late look young: they hold a TTL from when they came in.
        long late = known.ahead().isPositive() ? known.ahead().toMillis() : 0;
        require(time.now() <= known.at() + ttl + LINK_MS + late, () -> "dead man: " + lease + " of " + proxy.node
                + " is from " + known.at() + " and in force at " + time.now());
        if (share > natural) {
            require(time.now() <= end + LINK_MS, () -> "share " + share + " at " + proxy.node
                    + " after maxDuration, at " + time.now());
            highest = Math.max(highest, share);
        }
    }

    /** Where nothing is lost and nobody moves, no proxy sees a larger raise than the run may ask for. */
    void steps(List<SimulatedProxy> proxies) {
        for (SimulatedProxy proxy : proxies) {
            int share = proxy.share();
            Integer before = shares.put(proxy, share);
            require(before == null || share <= Math.max(natural, before * facts.bounds().maxRaise()),
                    () -> "raised from " + before + " to " + share + " at " + proxy.node);
        }
    }

    /** As AssertJ, but for what is asked millions of times. */
    private static void require(boolean promise, Supplier<String> broken) {
        if (!promise) {
            throw new AssertionError(broken.get());
        }
    }

    /** What a controller does about an event, whether it drives the run or only believes so. */
    void decided(RunState before, RunEvent event, RunDecision decision, Instant clock) {
        decision.commands().forEach(command -> commanded(decision.state(), command, clock));
        if (!(decision.state() instanceof RunState.Leased after)) {
            return;
        }
        require(after instanceof RunState.Restoring || !ends(event), () -> "goes on after " + event);
        Share share = after.course().share();
        require(!share.above(facts.bounds().maxShare()), () -> "share " + share + " is above maxShare");
        if (before instanceof RunState.Leased earlier && share.above(earlier.course().share())
                && !(after instanceof RunState.Restoring) && !(after instanceof RunState.Paused)) {
            raised(earlier.course().share(), share, event, clock);
        }
        if (after instanceof RunState.Searching searching) {
            searching(searching, event, clock);
        }
    }

    private static boolean ends(RunEvent event) {
        return event instanceof RunEvent.AbortRequested || event instanceof RunEvent.Halted
                || event instanceof RunEvent.ControllerStopping || event instanceof RunEvent.NotDelivered
                || event instanceof RunEvent.ClockJumped;
    }

    private void commanded(RunState after, RunCommand command, Instant clock) {
        if (command instanceof RunCommand.SendLease send) {
            Lease lease = send.lease();
            require(lease.released() == (after instanceof RunState.Restoring), () -> lease + " in " + after.phase());
            require(lease.epoch() == after.facts().epoch(), () -> lease + " in epoch " + after.facts().epoch());
            require(!lease.expiresAt().isAfter(clock.plusMillis(ttl)), () -> lease + " lasts too long");
            require(lease.released() || !lease.expiresAt().isAfter(
                    facts.submittedAt().plus(facts.bounds().maxDuration())), () -> lease + " outlasts the run");
        }
    }

    private void raised(Share from, Share to, RunEvent event, Instant clock) {
        double most = from.ppm() == 0 ? natural : from.ppm() * facts.bounds().maxRaise();
        require(to.ppm() <= most, () -> "raised from " + from + " to " + to);
        if (!(event instanceof RunEvent.VerdictArrived arrived)) {
            throw new AssertionError("raised because of " + event);
        }
        WindowVerdict verdict = arrived.verdict();
        require(verdict.judgement() == Judgement.HOLDS && RAISING.contains(verdict.advice().action()),
                () -> "raised because of " + verdict);
        Duration age = Duration.between(verdict.windowEnd(), clock);
        require(age.compareTo(FRESH) <= 0, () -> "raised because of a window that ended " + age + " ago");
        require(forging || measured.contains(verdict.windowStart().toEpochMilli()),
                () -> "raised because of a window that nobody measured: " + verdict);
    }

    private void searching(RunState.Searching state, RunEvent event, Instant clock) {
        RunProgress course = state.course();
        boolean tested = course.share().above(facts.naturalShare());
        int unknown = course.telemetry().consecutiveInconclusive();
        require(unknown < 3, () -> unknown + " unknown windows in a row");
        require(!tested || unknown < 2, () -> "tested after " + unknown + " unknown windows");
        require(!(state instanceof RunState.Paused) || course.share().equals(facts.naturalShare()),
                () -> "paused at a share of " + course.share());
        Instant lastVerdictAt = course.telemetry().lastVerdictAt();
        if (event instanceof RunEvent.Tick && lastVerdictAt != null) {
            Duration timeout = facts.bounds().window().multipliedBy(2).plusMillis(1500);
            Duration silence = Duration.between(lastVerdictAt, clock);
            require(silence.compareTo(timeout.plusSeconds(1)) <= 0, () -> "searches in a silence of " + silence);
            require(!tested || silence.compareTo(timeout) <= 0, () -> "tested in a silence of " + silence);
            require(clock.isBefore(facts.submittedAt().plus(facts.bounds().maxDuration())),
                    () -> "searches after maxDuration");
        }
        if (tested && course.harm().windows() > 0) {
            require(course.harm().requests() <= course.harm().allowed(facts.bounds()),
                    () -> "tested beyond the harm budget: " + course.harm());
        }
    }

    /** The run says that it is over. What a proxy that lies has acknowledged is for the read-back to find out. */
    void ended(RunState.Finished finished, List<SimulatedProxy> proxies, Forger forger) {
        assertThat(finished.ending().reason().detail()).isNotBlank();
        RestoreProof restored = finished.restored();
        // A lease that was forged just now takes effect while the proof of the one before is under way.
        List<SimulatedProxy> proven = proxies.stream().filter(proxy -> !proxy.lies && !forgedLately(proxy)).toList();
        if (restored.acknowledged() && !forger.touched(Forgery.Topic.LEASE_STATUS)) {
            natural(proven, restored.toString());
        }
        if (restored.proof() == RestoreProof.Proof.MEASURED && proxies.stream().noneMatch(this::forgedLately)
                && !forger.touched(Forgery.Topic.VERDICTS) && !forger.touched(Forgery.Topic.OBSERVATIONS)) {
            double share = proxies.stream().mapToInt(SimulatedProxy::share).average().orElseThrow();
            assertThat(share).as("measured share").isCloseTo(natural, within(MEASURABLE_PPM));
        }
    }

    private boolean forgedLately(SimulatedProxy proxy) {
        LeaseTag lease = proxy.lease();
        return lease != null && lease.forged() != null && time.now() < lease.forged().at() + MAX_MESSAGE_MS;
    }

    /** Nobody moves traffic any more. */
    void natural(List<SimulatedProxy> proxies, String when) {
        for (SimulatedProxy proxy : proxies) {
            assertThat(proxy.share()).as("natural share at %s, %s", proxy.node, when).isEqualTo(natural);
        }
    }

    /**
     * The journal leads to the same end again.
     *
     * @param json to read it from what would be stored of it
     */
    static void replayed(List<Entry> journal, Optional<RunJsonMapper> json) {
        RunState state = journal.getFirst().before();
        for (Entry entry : journal) {
            assertThat(entry.before()).isEqualTo(state);
            RunEvent event = json.map(form -> form.event(form.write(entry.event()))).orElse(entry.event());
            assertThat(event).isEqualTo(entry.event());
            RunDecision again = RunDecider.decide(state, event, entry.at());
            assertThat(again).isEqualTo(entry.decision());
            state = again.state();
        }
    }
}
