// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.collector.windowing.RequestRecordStream;
import io.redliner.collector.windowing.Requests;
import io.redliner.collector.windowing.TestedWindows;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowSettings;
import io.redliner.contract.sender.SenderChain;
import io.redliner.contract.v1.ErrorStatuses;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.StatusRange;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lease statuses of somebody who is no redirector. */
class StrangerStatusTest {

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final InstanceRegistry instances = new InstanceRegistry(List.of());

    private final LeaseStatusHandler statuses = new LeaseStatusHandler(windows, instances, new SimpleMeterRegistry());

    private final RunSpecHandler runs = new RunSpecHandler(windows, new SimpleMeterRegistry());

    private final SenderChain chain = new SenderChain(new SecureRandom());

    private Instant now = Instant.parse("2026-01-01T12:00:00Z");

    private final RequestRecordStream stream = windows.open("shop", "node-1", now);

    private static LeaseStatus.Builder status(String service, String redirector, String node, String address,
            int failing) {
        return LeaseStatus.newBuilder().setService(service).setRedirector(redirector)
                .addInstances(Instance.newBuilder().setAddress(address).setNaturalSharePpm(500_000))
                .addProxies(ProxyStatus.newBuilder().setNode(node).setConnected(true)).setProxiesConnected(1)
                .setErrors(ErrorStatuses.newBuilder()
                        .addHttp(StatusRange.newBuilder().setFirst(failing).setLast(failing)));
    }

    @Test
    void do_not_tell_which_machine_an_instance_runs_on_as_its_redirector_does() {
        LeaseStatus.Builder own = status("shop", "r1", "node-1", "10.0.0.1:80", 500);
        own.getInstancesBuilder(0).setHost("web-1");
        for (int second = 0; second < 70; second++) {
            apply(own.setSenderProof(chain.next("shop").write()));
            windows.accept(stream, List.of(Requests.started("s" + now, "10.0.0.1:80", now)), now);
            now = now.plusSeconds(1);
            windows.closeDue(now);
        }

        LeaseStatus.Builder strangers = status("shop", "evil", "node-1", "10.0.0.1:80", 500);
        strangers.getInstancesBuilder(0).setHost("web-2");
        apply(strangers);

        assertThat(new LocalInstances(instances, Path.of("/proc")).hosts(new InstanceId("shop", "10.0.0.1:80"), now))
                .containsExactly("web-1");
    }

    private void apply(LeaseStatus.Builder status) {
        statuses.apply(status.getService(), status.build().toByteArray(), now);
    }

    /** The redirector reports once a second. */
    private void reports(int seconds) {
        for (int second = 0; second < seconds; second++) {
            apply(status("shop", "r1", "node-1", "10.0.0.1:80", 500)
                    .setSenderProof(chain.next("shop").write()));
            windows.accept(stream, List.of(Requests.started("s" + now, "10.0.0.1:80", now)), now);
            now = now.plusSeconds(1);
            windows.closeDue(now);
        }
    }

    private List<String> known() {
        return instances.known(now).stream().map(target -> target.instanceId().toString()).toList();
    }

    @Test
    void steer_nothing_that_is_looked_at() {
        reports(70);

        apply(status("shop", "evil", "node-1", "127.0.0.1:22", 500));
        apply(status("shop", "r1", "node-1", "127.0.0.1:23", 500));
        apply(status("invented", "r1", "node-1", "127.0.0.1:24", 500));

        assertThat(known()).containsExactly("10.0.0.1:80 of shop");
    }

    @Test
    void a_service_that_came_later_is_looked_at_while_a_run_is_on_it() {
        reports(70);
        runs.apply("later", RunSpec.newBuilder().setService("later").setRunId("run").setEpoch(1).setSut("10.0.0.7:80")
                .setPhase(RunPhase.RUN_PHASE_PREPARING).setWindowLengthMs(100).build().toByteArray(), now);

        apply(status("later", "r1", "node-7", "10.0.0.7:80", 500));

        assertThat(known()).contains("10.0.0.7:80 of later");
    }

    @Test
    void do_not_change_which_answers_are_errors_and_whose_records_count() {
        reports(20);
        RequestRecordStream evil = windows.open("shop", "evil-node", now);

        apply(status("shop", "evil", "node-1", "10.0.0.1:80", 404));
        apply(status("shop", "evil", "evil-nodes", "10.0.0.1:80", 404));
        apply(status("shop", "r1", "evil-node", "10.0.0.1:80", 404));
        windows.accept(evil, List.of(Requests.started("first", "10.0.0.1:80", now)), now);
        reports(10);
        windows.accept(evil, List.of(Requests.started("e", "10.0.0.1:80", now)), now);

        assertThat(windows.unknownProxies()).containsKey("evil-node");
        assertThat(windows.redirectors("shop", now)).containsExactly("r1");
    }

    @Test
    void a_redirector_counts_at_once_when_its_proxy_reports_here() {
        reports(20);
        windows.open("shop", "node-2", now);

        apply(status("shop", "r2", "node-2", "10.0.0.2:80", 500));

        assertThat(windows.redirectors("shop", now)).containsExactly("r1", "r2");
        assertThat(known()).contains("10.0.0.2:80 of shop");
    }

    @Test
    void a_proxy_that_moves_to_another_redirector_makes_that_one_count() {
        reports(20);
        apply(status("shop", "r1", "node-3", "10.0.0.1:80", 500).setSenderProof(chain.next("shop").write()));

        apply(status("shop", "r2", "node-1", "10.0.0.2:80", 500));

        assertThat(windows.redirectors("shop", now)).containsExactly("r2");
    }
}
