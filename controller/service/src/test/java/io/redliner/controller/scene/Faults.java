// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.service.persistence.JournalNote;
import io.redliner.controller.service.persistence.RunReadRepository;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What all tests of faults need: a run that moves traffic, and what has to hold after the fault. */
public final class Faults {

    private static final int MAX_STARTS = 3;

    private final Scene scene;

    public Faults(Scene scene) {
        this.scene = scene;
    }

    /**
     * Starts a run and waits until the SUT gets more than its natural share, where it stays. A machine that is too busy to
     * renew a lease in time ends it before that: that is no fault that a test has made, and the run is started again.
     */
    public String raisedRun(FakeDataPlane plane) {
        plane.holdingAt = 1.2 * FakeDataPlane.SERVICE_RATE * FakeDataPlane.NATURAL_PPM / 1e6;
        for (int started = 0; started < MAX_STARTS; started++) {
            // On a machine that is busy with other things windows come late, which counts as harm.
            String id = scene.startPlan(
                    Scene.plan(plane.service(), plane.service()).replace("harmBudget: 1%", "harmBudget: 50%"));
            await().until(() -> raised(plane, id) || ended(id));
            if (raised(plane, id)) {
                return id;
            }
        }
        throw new AssertionError(MAX_STARTS + " runs ended before they had moved traffic");
    }

    private static boolean raised(FakeDataPlane plane, String id) {
        return !plane.leases().isEmpty() && plane.newestLease().getRunId().equals(id)
                && plane.newestLease().getSharePpm() > 1.15 * FakeDataPlane.NATURAL_PPM;
    }

    private boolean ended(String id) {
        return scene.run(id).path("phase").asString("").equals("Finished");
    }

    /** Nothing keeps the search from its end any more. */
    public static void letGo(FakeDataPlane plane) {
        plane.holdingAt = Double.MAX_VALUE;
    }

    /** The journal counts from one, and each decision follows from the ones before it. */
    public void assertJournalWhole(String id) {
        List<Long> sequences = scene.context().getBean(JdbcClient.class)
                .sql("SELECT sequence FROM journal WHERE run_id = :id ORDER BY sequence")
                .param("id", id)
                .query(Long.class)
                .list();
        assertThat(sequences).isNotEmpty();
        for (int entry = 0; entry < sequences.size(); entry++) {
            assertThat(sequences.get(entry)).isEqualTo(entry + 1L);
        }
    }

    /**
     * Each lease that Kafka was given is in the journal as it was sent, and ended no later than its time after it was
     * decided on.
     */
    public void assertSentOnlyWhatIsJournaled(FakeDataPlane plane, String id) {
        List<Sent> journaled = new ArrayList<>();
        for (JournalNote entry : scene.context().getBean(RunReadRepository.class).journal(id, 0, Integer.MAX_VALUE,
                false)) {
            for (RunCommand command : entry.commands()) {
                if (command instanceof RunCommand.SendLease send) {
                    assertThat(send.lease().expiresAt()).isBeforeOrEqualTo(entry.decidedAt().plus(send.lease().ttl()));
                    journaled.add(Sent.of(send.lease()));
                }
            }
        }
        assertThat(journaled).doesNotHaveDuplicates();
        assertThat(plane.leases()).filteredOn(lease -> lease.getRunId().equals(id))
                .isNotEmpty()
                .map(Sent::of)
                .isSubsetOf(journaled);
    }

    private record Sent(long epoch, long sequence, int share, long expiresAtMs, long ttlMs, boolean released) {

        static Sent of(Lease lease) {
            return new Sent(lease.epoch(), lease.sequence(), lease.share().ppm(), lease.expiresAt().toEpochMilli(),
                    lease.ttl().toMillis(), lease.released());
        }

        static Sent of(io.redliner.contract.v1.Lease lease) {
            return new Sent(lease.getEpoch(), lease.getSequence(), lease.getSharePpm(), lease.getExpiresAtMs(),
                    lease.getTtlMs(), lease.getReleased());
        }
    }

    /** The controller's own threads that never end before it does. */
    public Set<String> workers() {
        Set<String> workers = new TreeSet<>(scene.threads());
        workers.retainAll(
                Set.of("controller-driver-1", "controller-driver-2", "controller-watch", "controller-verdicts",
                        "notifications",
                        "controller-series", "controller-deployments", "peaks"));
        assertThat(workers).as("workers of this scene").contains("controller-driver-1", "controller-driver-2",
                "controller-verdicts");
        return workers;
    }
}
