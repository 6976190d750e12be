// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.v1.Cohort;
import io.redliner.contract.v1.HeaderMatch;
import io.redliner.contract.v1.KillSwitch;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Anybody with access to the topic may have written a lease. */
class LeaseDecoderTest {

    private static final Lease LEASE = Lease.newBuilder().setService("cart").setRunId("run").setEpoch(1).setSequence(1)
            .setSut("10.0.0.7:80").setIssuedAtMs(1_000).setExpiresAtMs(6_000).setTtlMs(5_000).build();

    private static void refused(Lease.Builder lease, String message) {
        assertThatThrownBy(() -> LeaseDecoder.read(lease.build())).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 253_402_300_800_000L, Long.MAX_VALUE})
    void times_outside_of_the_calendar_are_refused(long millis) {
        refused(LEASE.toBuilder().setExpiresAtMs(millis), "expires_at_ms");
        refused(LEASE.toBuilder().setIssuedAtMs(millis), "issued_at_ms");
    }

    @Test
    void names_are_bounded() {
        refused(LEASE.toBuilder().setService("x".repeat(5_000)), "service has 5000 characters");
        refused(LEASE.toBuilder().setRunId("x".repeat(5_000)), "run_id");
        refused(LEASE.toBuilder().setSut("x".repeat(5_000)), "sut");
    }

    @Test
    void a_redirect_that_cannot_be_obeyed_is_kept_as_a_bounded_reason() {
        String large = "x".repeat(50_000);
        HeaderMatch.Builder header = HeaderMatch.newBuilder().setName("x-user");
        assertFault(LEASE.toBuilder().setRedirect(Redirect.newBuilder()
                .addAllCohorts(Collections.nCopies(65, Cohort.getDefaultInstance()))), "65 cohorts, more than 64");
        assertFault(cohort(cohort -> cohort.addAllMethods(Collections.nCopies(65, "GET"))), "65 methods");
        assertFault(cohort(cohort -> cohort.setName(large)), "cohort 'xxx");
        assertFault(cohort(cohort -> cohort.setName("two\nlines").addMethods("GET")), "cohort 'two lines'");
        assertFault(cohort(cohort -> cohort.addMethods(large)), "is no HTTP method");
        assertFault(cohort(cohort -> cohort.addHeaders(HeaderMatch.newBuilder().setName(large).setExact("y"))),
                "is no name of a header");
        assertFault(cohort(cohort -> cohort.addHeaders(header.clone().setExact(large))), "is no value of a header");
    }

    private static void assertFault(Lease.Builder lease, String fault) {
        var read = LeaseDecoder.read(lease.build());
        assertThat(read.traffic().redirectFault()).contains(fault).hasSizeLessThanOrEqualTo(4_096);
        assertThat(read.redirect()).isEqualTo(io.redliner.contract.redirect.Redirect.SPLIT);
    }

    private static Lease.Builder cohort(UnaryOperator<Cohort.Builder> change) {
        return LEASE.toBuilder()
                .setRedirect(Redirect.newBuilder().addCohorts(change.apply(Cohort.newBuilder().setName("some"))));
    }

    @Test
    void a_record_is_bounded_as_a_whole() {
        Lease.Builder large = cohort(cohort -> cohort.setPath("/" + "x".repeat(4_000)));
        Cohort some = large.getRedirect().getCohorts(0);
        for (int i = 0; i < 15; i++) {
            large.getRedirectBuilder().addCohorts(some);
        }
        assertThatCode(() -> LeaseDecoder.read(large.build().toByteArray())).doesNotThrowAnyException();
        large.getRedirectBuilder().addCohorts(some);
        assertThatThrownBy(() -> LeaseDecoder.read(large.build().toByteArray()))
                .hasMessageMatching("a lease has \\d+ bytes, more than 65536");
    }

    @Test
    void the_key_is_the_service_and_that_of_the_kill_switch_is_empty() {
        Lease killSwitch = Lease.newBuilder().setKillSwitch(KillSwitch.getDefaultInstance()).build();

        assertThatCode(() -> LeaseDecoder.requireKey(key("cart"), LEASE)).doesNotThrowAnyException();
        assertThatCode(() -> LeaseDecoder.requireKey(key(""), killSwitch)).doesNotThrowAnyException();
        assertThatCode(() -> LeaseDecoder.requireKey(null, killSwitch)).doesNotThrowAnyException();
        assertThatThrownBy(() -> LeaseDecoder.requireKey(key("cart#1"), LEASE)).hasMessageContaining("'cart#1'");
        assertThatThrownBy(() -> LeaseDecoder.requireKey(null, LEASE)).hasMessageContaining("'cart'");
        assertThatThrownBy(() -> LeaseDecoder.requireKey(key("evilkey"), killSwitch)).hasMessageContaining("evilkey");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\u0085", "\u2028", "\u2029", "\u001b[2J"})
    void what_a_record_says_is_one_line(String lineBreak) {
        String forged = "ops" + lineBreak + "ERROR all is lost";
        Lease record = Lease.newBuilder().setKillSwitch(KillSwitch.newBuilder().setActor(forged).setReason(forged))
                .build();

        assertThat(LeaseDecoder.killSwitch(record)).hasValueSatisfying(killSwitch -> assertThat(
                killSwitch.actor() + killSwitch.reason()).doesNotContain(lineBreak).contains("ERROR all is lost"));
        assertThatThrownBy(() -> LeaseDecoder.requireKey(key(forged), record)).message().doesNotContain(lineBreak);
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, 9_000_000_000_000_000L, Long.MAX_VALUE})
    void the_time_of_a_kill_switch_is_no_reason_not_to_obey_it(long millis) {
        assertThat(LeaseDecoder.killSwitch(Lease.newBuilder()
                .setKillSwitch(KillSwitch.newBuilder().setEngaged(true).setActor("ops").setAtMs(millis)).build()))
                .hasValueSatisfying(killSwitch -> {
                    assertThat(killSwitch.engaged()).isTrue();
                    assertThat(killSwitch.at()).isBetween(Instant.EPOCH, Instant.parse("9999-12-31T23:59:59.999Z"));
                });
    }
}
