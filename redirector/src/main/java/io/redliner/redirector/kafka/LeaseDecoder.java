// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.v1.AttributeSource;
import io.redliner.contract.v1.RedirectMode;
import io.redliner.redirector.lease.KillSwitch;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.routing.Cohort;
import io.redliner.redirector.routing.Cohort.HeaderMatch;
import io.redliner.redirector.routing.Cohort.PathMatch;
import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.routing.Redirect.Attribute;
import io.redliner.redirector.routing.Redirect.Mode;
import io.redliner.redirector.routing.Redirect.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads leases off the wire. */
public final class LeaseDecoder {

    private LeaseDecoder() {}

    /**
     * One lease; nothing about it is believed yet.
     *
     * @throws InvalidProtocolBufferException when it is none
     */
    public static Lease read(byte[] record) throws InvalidProtocolBufferException {
        return read(io.redliner.contract.v1.Lease.parseFrom(record));
    }

    /** The kill switch, when the record is of it. */
    static Optional<KillSwitch> killSwitch(io.redliner.contract.v1.Lease record) {
        io.redliner.contract.v1.KillSwitch said = record.getKillSwitch();
        return record.hasKillSwitch()
                ? Optional.of(new KillSwitch(said.getEngaged(), said.getActor(), said.getReason(),
                        Instant.ofEpochMilli(said.getAtMs())))
                : Optional.empty();
    }

    static Lease read(io.redliner.contract.v1.Lease lease) {
        return new Lease(lease.getService(), lease.getRunId(), lease.getEpoch(), lease.getSequence(), lease.getSut(),
                Integer.toUnsignedLong(lease.getSharePpm()), Instant.ofEpochMilli(lease.getIssuedAtMs()),
                Instant.ofEpochMilli(lease.getExpiresAtMs()),
                Duration.ofMillis(Math.clamp(lease.getTtlMs(), 0, Lease.MAX_TTL.toMillis())), lease.getReleased(),
                lease.hasRedirect() ? redirect(lease.getRedirect()) : Redirect.SPLIT);
    }

    /** Whatever it says; {@link Redirect#problem} judges it. */
    private static Redirect redirect(io.redliner.contract.v1.Redirect redirect) {
        Mode mode = mode(redirect.getMode());
        int modulus = mode == Mode.MODULO && redirect.getModulus() == 0
                ? Redirect.DEFAULT_MODULUS
                : redirect.getModulus();
        Optional<Attribute> attribute = redirect.hasAttribute()
                ? Optional.of(new Attribute(source(redirect.getAttribute().getSource()),
                        redirect.getAttribute().getName()))
                : Optional.empty();
        return new Redirect(mode, attribute, modulus,
                redirect.getCohortsList().stream().map(LeaseDecoder::cohort).toList());
    }

    private static Mode mode(RedirectMode mode) {
        return switch (mode) {
            case REDIRECT_MODE_UNSPECIFIED, REDIRECT_MODE_SPLIT -> Mode.SPLIT;
            case REDIRECT_MODE_ENDPOINT_WEIGHT -> Mode.ENDPOINT_WEIGHT;
            case REDIRECT_MODE_MODULO -> Mode.MODULO;
            case REDIRECT_MODE_HASH -> Mode.HASH;
            case UNRECOGNIZED -> Mode.UNKNOWN;
        };
    }

    private static Source source(AttributeSource source) {
        return switch (source) {
            case ATTRIBUTE_SOURCE_HEADER -> Source.HEADER;
            case ATTRIBUTE_SOURCE_COOKIE -> Source.COOKIE;
            case ATTRIBUTE_SOURCE_QUERY -> Source.QUERY;
            case ATTRIBUTE_SOURCE_UNSPECIFIED, UNRECOGNIZED -> Source.UNKNOWN;
        };
    }

    private static Cohort cohort(io.redliner.contract.v1.Cohort cohort) {
        List<HeaderMatch> headers = cohort.getHeadersList().stream().map(LeaseDecoder::header).toList();
        return new Cohort(cohort.getName(), headers, where(cohort), new HashSet<>(cohort.getMethodsList()));
    }

    private static HeaderMatch header(io.redliner.contract.v1.HeaderMatch header) {
        return switch (header.getMatchCase()) {
            case EXACT -> new HeaderMatch.Exact(header.getName(), header.getExact());
            case RANGE -> new HeaderMatch.Range(header.getName(), header.getRange().getFrom(),
                    header.getRange().getTo());
            case MATCH_NOT_SET -> new HeaderMatch.Unknown(header.getName());
        };
    }

    private static Optional<PathMatch> where(io.redliner.contract.v1.Cohort cohort) {
        List<PathMatch> given = Stream.<Optional<PathMatch>>of(
                text(cohort.getPath()).map(PathMatch.Whole::new),
                text(cohort.getPathPrefix()).map(PathMatch.Prefix::new),
                text(cohort.getGrpcMethod()).map(PathMatch.Grpc::new))
                .flatMap(Optional::stream).toList();
        return given.size() > 1 ? Optional.of(new PathMatch.Ambiguous()) : given.stream().findFirst();
    }

    private static Optional<String> text(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
