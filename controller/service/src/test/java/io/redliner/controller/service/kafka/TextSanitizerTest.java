// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.text.PlainText;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.RuleVerdict;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.run.RedirectorReport;
import io.redliner.controller.core.run.WindowVerdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextSanitizerTest {

    @Test
    void whatever_a_record_says_is_one_line() {
        for (String lineBreak : List.of("\n", "\r\n", "\r", "\t", "\u000b", "\f", "\u0085", "\u2028", "\u2029",
                "\u001b[2J")) {
            KillSwitch killSwitch = requireNonNull(LeaseStatusDecoder.read(LeaseStatus.newBuilder()
                    .setService("shop")
                    .setRedirector("r1").setKillSwitch(io.redliner.contract.v1.KillSwitch.newBuilder().setEngaged(true)
                            .setActor("ops" + lineBreak + "2026-01-01 ERROR all is lost").setReason("a" + lineBreak))
                    .build()).killSwitch());

            assertThat(PlainText.line(killSwitch.actor() + killSwitch.reason())).as(killSwitch.actor()).isTrue();
            assertThat(killSwitch.actor()).startsWith("ops").endsWith("ERROR all is lost");
        }
    }

    @Test
    void what_the_database_cannot_hold_is_taken_out_of_verdicts_and_reports() {
        WindowVerdict verdict = VerdictDecoder.read(Verdict.newBuilder()
                .setRunId("r\0un")
                .setWindowLengthMs(100)
                .addGuards(RuleVerdict.newBuilder().setName("fl\0eet").setReason("\0because"))
                .build());
        RedirectorReport report = LeaseStatusDecoder.read(LeaseStatus.newBuilder()
                .setService("shop")
                .setRedirector("r\0001")
                .setReason("no\0thing")
                .addProxies(ProxyStatus.newBuilder().setNode("n\0ode").setError("e\0"))
                .build()).lease();

        assertThat(verdict.runId()).isEqualTo("run");
        assertThat(verdict.guards().getFirst().name()).isEqualTo("fleet");
        assertThat(verdict.guards().getFirst().reason()).isEqualTo("because");
        assertThat(report.redirector()).isEqualTo("r1");
        assertThat(report.reason()).isEqualTo("nothing");
        assertThat(report.proxies().getFirst().node()).isEqualTo("node");
        assertThat(report.proxies().getFirst().error()).isEqualTo("e");
    }
}
