// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogCommon;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogType;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.data.accesslog.v3.ResponseFlags;
import io.redliner.collector.window.DropReason;
import io.redliner.collector.window.ErrorClass;
import io.redliner.collector.window.RecordKind;
import io.redliner.collector.window.RequestRecord.Ended;
import io.redliner.collector.window.RequestRecord.Started;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EntryReaderTest {

    @Test
    void a_start_is_matched_by_the_request_id_for_upstream_entries_have_no_stream_id() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.UpstreamPoolReady);
        entry.getRequestBuilder().setRequestId("request-1");

        assertThat(EntryReader.read(entry.build())).isEqualTo(
                new Reading.Request(new Started("request-1", "10.0.0.1:80", Instant.ofEpochSecond(100, 5_000))));
    }

    @Test
    void a_start_on_a_route_for_what_no_lease_speaks_of_is_outside() {
        assertThat(startOn("shop/cohort/germans/outside")).isTrue();
        assertThat(startOn("shop/outside")).isTrue();
        assertThat(startOn("shop/outsiders")).isFalse();
        assertThat(startOn("")).isFalse();
    }

    private static boolean startOn(String route) {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.UpstreamPoolReady);
        entry.getRequestBuilder().setRequestId("request-1");
        entry.getCommonPropertiesBuilder().setRouteName(route);
        return ((Started) ((Reading.Request) EntryReader.read(entry.build())).request()).outside();
    }

    @Test
    void an_end_has_the_latency_up_to_the_last_byte_to_the_user() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.DownstreamEnd);
        entry.getCommonPropertiesBuilder().setStreamId("stream-1").setDuration(seconds(3))
                .setTimeToLastDownstreamTxByte(seconds(2));

        assertThat(EntryReader.read(entry.build())).isEqualTo(
                new Reading.Request(new Ended("stream-1", "10.0.0.1:80", Instant.ofEpochSecond(103, 5_000),
                        java.time.Duration.ofSeconds(2), Optional.empty())));
    }

    @Test
    void an_end_without_an_answer_has_the_latency_up_to_its_end_also_from_an_older_proxy() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.NotSet);
        entry.getCommonPropertiesBuilder().setDuration(seconds(3));

        assertThat(EntryReader.read(entry.build())).isInstanceOfSatisfying(Reading.Request.class,
                reading -> assertThat(reading.request()).isInstanceOfSatisfying(Ended.class,
                        end -> assertThat(end.latency()).isEqualTo(java.time.Duration.ofSeconds(3))));
    }

    @Test
    void entries_that_tell_nothing_new_are_ignored() {
        assertThat(EntryReader.read(entry(AccessLogType.UpstreamEnd).build())).isEqualTo(new Reading.Ignored());
        assertThat(EntryReader.read(entry(AccessLogType.DownstreamStart).build())).isEqualTo(new Reading.Ignored());
        assertThat(EntryReader.read(HTTPAccessLogEntry.newBuilder()
                .setCommonProperties(AccessLogCommon.newBuilder().setAccessLogTypeValue(999)).build()))
                .isEqualTo(new Reading.Ignored());
    }

    @Test
    void entries_that_make_no_sense_are_rejected() {
        HTTPAccessLogEntry.Builder noDuration = entry(AccessLogType.DownstreamEnd);
        HTTPAccessLogEntry.Builder negative = entry(AccessLogType.DownstreamEnd);
        negative.getCommonPropertiesBuilder().setDuration(seconds(-1));
        HTTPAccessLogEntry.Builder noStart = entry(AccessLogType.DownstreamEnd);
        noStart.getCommonPropertiesBuilder().setDuration(seconds(1)).clearStartTime();
        HTTPAccessLogEntry.Builder absurdStart = entry(AccessLogType.DownstreamEnd);
        absurdStart.getCommonPropertiesBuilder().setDuration(seconds(1))
                .setStartTime(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE));
        HTTPAccessLogEntry.Builder noPort = entry(AccessLogType.DownstreamEnd);
        noPort.getCommonPropertiesBuilder().setDuration(seconds(1)).getUpstreamRemoteAddressBuilder()
                .getSocketAddressBuilder().setPortValue(0);

        for (HTTPAccessLogEntry.Builder entry : java.util.List.of(noDuration, negative, noStart, absurdStart, noPort)) {
            assertThat(EntryReader.read(entry.build()))
                    .isEqualTo(new Reading.Rejected(RecordKind.END, DropReason.MALFORMED));
        }
        assertThat(EntryReader.read(entry(AccessLogType.UpstreamPoolReady).build())).as("a start without an id")
                .isEqualTo(new Reading.Rejected(RecordKind.START, DropReason.MALFORMED));
    }

    @Test
    void an_ipv6_instance_is_written_in_brackets() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.DownstreamEnd);
        entry.getCommonPropertiesBuilder().setDuration(seconds(1)).getUpstreamRemoteAddressBuilder()
                .getSocketAddressBuilder().setAddress("fd00::1");

        assertThat(EntryReader.read(entry.build())).isInstanceOfSatisfying(Reading.Request.class,
                reading -> assertThat(reading.request().instance()).isEqualTo("[fd00::1]:80"));
    }

    @Test
    void the_first_cause_of_a_failure_decides_its_class() {
        assertThat(classify(504, flags().setUpstreamRequestTimeout(true).setUpstreamRetryLimitExceeded(true)))
                .contains(ErrorClass.TIMEOUT);
        assertThat(classify(200, flags().setStreamIdleTimeout(true))).contains(ErrorClass.TIMEOUT);
        assertThat(classify(503, flags().setUpstreamConnectionFailure(true))).contains(ErrorClass.CONNECT);
        assertThat(classify(503, flags().setUpstreamRemoteReset(true))).contains(ErrorClass.RESET);
        assertThat(classify(503, flags().setUpstreamConnectionTermination(true))).contains(ErrorClass.RESET);
        assertThat(classify(200, flags().setUpstreamProtocolError(true))).contains(ErrorClass.RESET);
        assertThat(classify(503, flags().setUpstreamOverflow(true))).contains(ErrorClass.REFUSED_BY_PROXY);
        assertThat(classify(429, flags().setRateLimited(true))).contains(ErrorClass.REFUSED_BY_PROXY);
        assertThat(classify(403, flags().setUnauthorizedDetails(
                ResponseFlags.Unauthorized.newBuilder().setReason(ResponseFlags.Unauthorized.Reason.EXTERNAL_SERVICE))))
                .contains(ErrorClass.REFUSED_BY_PROXY);
        assertThat(classify(500, flags())).contains(ErrorClass.SERVER);
        assertThat(classify(503, flags().setUpstreamRetryLimitExceeded(true))).contains(ErrorClass.SERVER);
        assertThat(classify(404, flags())).isEmpty();
        assertThat(classify(0, flags().setDownstreamConnectionTermination(true))).isEmpty();
    }

    private static Optional<ErrorClass> classify(int status, ResponseFlags.Builder flags) {
        HTTPAccessLogEntry.Builder entry = HTTPAccessLogEntry.newBuilder();
        entry.getResponseBuilder().setResponseCode(UInt32Value.of(status));
        entry.getCommonPropertiesBuilder().setResponseFlags(flags);
        return FailureClassifier.classify(entry.build());
    }

    private static ResponseFlags.Builder flags() {
        return ResponseFlags.newBuilder();
    }

    private static Duration seconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds).build();
    }

    private static HTTPAccessLogEntry.Builder entry(AccessLogType type) {
        return HTTPAccessLogEntry.newBuilder().setCommonProperties(AccessLogCommon.newBuilder().setAccessLogType(type)
                .setStartTime(Timestamp.newBuilder().setSeconds(100).setNanos(5_000))
                .setUpstreamRemoteAddress(Address.newBuilder()
                        .setSocketAddress(SocketAddress.newBuilder().setAddress("10.0.0.1").setPortValue(80))));
    }
}
