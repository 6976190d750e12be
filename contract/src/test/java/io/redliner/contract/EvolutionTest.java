// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rooms of different versions talk to each other during an upgrade. So field numbers and types never change meaning (golden
 * bytes), and what a newer room adds passes unharmed through an older one (unknown fields).
 */
class EvolutionTest {

    /** A field number that no message uses. */
    private static final int FUTURE_FIELD = 1900;

    static Stream<Message> messages() {
        return Stream.of(Samples.observation(), Samples.runSpec(), Samples.verdict(), Samples.lease(),
                Samples.leaseStatus());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void is_written_as_the_golden_bytes(Message message) {
        assertThat(HexFormat.of().formatHex(message.toByteArray())).isEqualTo(golden(message));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void is_read_from_the_golden_bytes(Message message) throws InvalidProtocolBufferException {
        Message read = message.getParserForType().parseFrom(HexFormat.of().parseHex(golden(message)));

        assertThat(read).isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void keeps_the_fields_of_a_newer_version(Message message) throws InvalidProtocolBufferException {
        UnknownFieldSet future = UnknownFieldSet.newBuilder().addField(FUTURE_FIELD, UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8("from the future")).build()).build();
        byte[] newer = message.toBuilder().setUnknownFields(future).build().toByteArray();

        Message passedThrough = message.getParserForType().parseFrom(newer);

        assertThat(passedThrough.toByteArray()).isEqualTo(newer);
        assertThat(passedThrough.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance()).build())
                .isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void every_field_has_a_sample_so_that_the_golden_bytes_cover_it(Message message) {
        assertThat(message.getAllFields().keySet()).containsExactlyInAnyOrderElementsOf(
                message.getDescriptorForType().getFields());
    }

    @Test
    void an_unknown_enum_value_is_kept_and_is_not_taken_for_a_known_one() throws InvalidProtocolBufferException {
        byte[] newer = Verdict.newBuilder().setJudgementValue(99).build().toByteArray();

        Verdict read = Verdict.parseFrom(newer);

        assertThat(read.getJudgement()).isEqualTo(io.redliner.contract.v1.Judgement.UNRECOGNIZED);
        assertThat(read.toByteArray()).isEqualTo(newer);
    }

    @Test
    void nothing_said_is_never_a_healthy_verdict_and_never_an_applied_lease() {
        assertThat(Verdict.getDefaultInstance().getJudgement())
                .isEqualTo(io.redliner.contract.v1.Judgement.JUDGEMENT_UNSPECIFIED);
        assertThat(LeaseStatus.getDefaultInstance().getState())
                .isEqualTo(io.redliner.contract.v1.LeaseState.LEASE_STATE_UNSPECIFIED);
        assertThat(Lease.getDefaultInstance().getSharePpm()).isZero();
        assertThat(RunSpec.getDefaultInstance().getPhase())
                .isEqualTo(io.redliner.contract.v1.RunPhase.RUN_PHASE_UNSPECIFIED);
        assertThat(Observation.getDefaultInstance().getProxies()).isZero();
    }

    private static String golden(Message message) {
        String name = "/golden/" + message.getDescriptorForType().getName() + ".hex";
        try (InputStream file = Objects.requireNonNull(EvolutionTest.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII).replaceAll("\\s", "");
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + name, e);
        }
    }
}
