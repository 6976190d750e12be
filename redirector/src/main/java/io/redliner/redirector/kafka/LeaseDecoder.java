// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Leases;
import io.redliner.contract.RunSpecs;
import io.redliner.contract.v1.AttributeSource;
import io.redliner.contract.v1.RedirectMode;
import io.redliner.redirector.lease.KillSwitch;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.LeaseListener;
import io.redliner.redirector.routing.Cohort;
import io.redliner.redirector.routing.Cohort.HeaderMatch;
import io.redliner.redirector.routing.Cohort.PathMatch;
import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.routing.Redirect.Attribute;
import io.redliner.redirector.routing.Redirect.Mode;
import io.redliner.redirector.routing.Redirect.Source;
import io.redliner.redirector.routing.Share;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads leases off the wire. Anybody with access to the topic may have written them, so numbers and sizes are bounded here.
 */
public final class LeaseDecoder {

    /** Characters of the name of a service, a run or an instance. */
    private static final int MAX_NAME_LENGTH = 512;

    /** Characters of a header's name or value, or of a path. */
    private static final int MAX_TEXT_LENGTH = 4_096;

    private static final Pattern LINE_BREAKS = Pattern.compile("[\\p{Cc}\\u2028\\u2029]+");

    private LeaseDecoder() {}

    /**
     * Decodes a record of the topic and passes it to the listener. A record without a value is ignored.
     *
     * @param lead time by which the system clock is ahead of the redirector's clock
     * @param receivedAt by the redirector's clock
     * @param late whether it may have been written before the redirector began
     * @throws InvalidProtocolBufferException when it is no lease
     * @throws IllegalArgumentException when its key is not the one of its service, or a number or a size in it is out of bounds
     */
    public static void deliver(byte @Nullable [] key, byte @Nullable [] value, LeaseListener listener, Duration lead,
            Instant receivedAt, boolean late) throws InvalidProtocolBufferException {
        if (value == null) {
            return;
        }
        io.redliner.contract.v1.Lease record = parse(value);
        requireKey(key, record);
        killSwitch(record).ifPresentOrElse(killSwitch -> listener.turned(killSwitch, receivedAt),
                () -> listener.received(late
                        ? read(record).receivedLate(lead, receivedAt)
                        : read(record).received(lead, receivedAt), receivedAt));
    }

    /**
     * Reads one lease, which is not validated yet.
     *
     * @throws InvalidProtocolBufferException when it is none
     * @throws IllegalArgumentException when a number or a size in it is out of bounds
     */
    public static Lease read(byte[] record) throws InvalidProtocolBufferException {
        return read(parse(record));
    }

    /**
     * Parses the record, unless it is larger than any that a controller writes.
     *
     * @throws InvalidProtocolBufferException when it is none
     * @throws IllegalArgumentException when it is too large
     */
    static io.redliner.contract.v1.Lease parse(byte[] record) throws InvalidProtocolBufferException {
        if (record.length > Leases.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a lease has " + record.length + " bytes, more than " + Leases.MAX_BYTES);
        }
        return io.redliner.contract.v1.Lease.parseFrom(record);
    }

    /**
     * Requires that the key of a record is its service, or empty for the kill switch. The key decides about the partition and about
     * compaction, so no controller writes a record under another key.
     *
     * @throws IllegalArgumentException when the key is another one
     */
    static void requireKey(byte @Nullable [] key, io.redliner.contract.v1.Lease record) {
        String expected = record.hasKillSwitch() ? "" : record.getService();
        String given = key == null ? "" : new String(key, StandardCharsets.UTF_8);
        if (!given.equals(expected)) {
            throw new IllegalArgumentException("a record of '" + abbreviated(expected) + "' under the key '"
                    + abbreviated(given) + "'");
        }
    }

    /** The kill switch in the record, or empty when the record is a lease. */
    static Optional<KillSwitch> killSwitch(io.redliner.contract.v1.Lease record) {
        io.redliner.contract.v1.KillSwitch message = record.getKillSwitch();
        return record.hasKillSwitch()
                ? Optional.of(new KillSwitch(message.getEngaged(), abbreviated(message.getActor()),
                        abbreviated(message.getReason()),
                        // The time is only shown: a kill switch is obeyed whatever the clock of its controller says.
                        Instant.ofEpochMilli(Math.clamp(message.getAtMs(), 0, RunSpecs.MAX_MILLIS))))
                : Optional.empty();
    }

    static Lease read(io.redliner.contract.v1.Lease lease) {
        return new Lease(name("service", lease.getService()), name("run_id", lease.getRunId()), lease.getEpoch(),
                lease.getSequence(), name("sut", lease.getSut()),
                Integer.toUnsignedLong(lease.getSharePpm()),
                lease.getMaxSharePpm() == 0 ? Share.WHOLE_PPM : Integer.toUnsignedLong(lease.getMaxSharePpm()),
                instant("issued_at_ms", lease.getIssuedAtMs()),
                instant("expires_at_ms", lease.getExpiresAtMs()),
                Duration.ofMillis(Math.clamp(lease.getTtlMs(), 0, Lease.MAX_TTL.toMillis())), lease.getReleased(),
                lease.hasRedirect() ? redirect(lease.getRedirect()) : Redirect.SPLIT,
                lease.getNatural());
    }

    /** Reads the redirect, which {@link Redirect#problem} validates later. */
    private static Redirect redirect(io.redliner.contract.v1.Redirect redirect) {
        Mode mode = mode(redirect.getMode());
        int modulus = mode == Mode.MODULO && redirect.getModulus() == 0
                ? Redirect.DEFAULT_MODULUS
                : redirect.getModulus();
        Optional<Attribute> attribute = redirect.hasAttribute()
                ? Optional.of(new Attribute(source(redirect.getAttribute().getSource()),
                        name("attribute", redirect.getAttribute().getName())))
                : Optional.empty();
        few("cohorts", redirect.getCohortsCount());
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
        few("headers of a cohort", cohort.getHeadersCount());
        few("methods of a cohort", cohort.getMethodsCount());
        List<HeaderMatch> headers = cohort.getHeadersList().stream().map(LeaseDecoder::header).toList();
        return new Cohort(name("cohort", cohort.getName()), headers, where(cohort),
                cohort.getMethodsList().stream().map(method -> name("method", method)).collect(Collectors.toSet()));
    }

    private static HeaderMatch header(io.redliner.contract.v1.HeaderMatch header) {
        String name = name("header", header.getName());
        return switch (header.getMatchCase()) {
            case EXACT -> new HeaderMatch.Exact(name, text("header", header.getExact()));
            case RANGE -> new HeaderMatch.Range(name, header.getRange().getFrom(),
                    header.getRange().getTo());
            case MATCH_NOT_SET -> new HeaderMatch.Unknown(name);
        };
    }

    private static Optional<PathMatch> where(io.redliner.contract.v1.Cohort cohort) {
        List<PathMatch> given = Stream.<Optional<PathMatch>>of(
                given(cohort.getPath()).map(PathMatch.Whole::new),
                given(cohort.getPathPrefix()).map(PathMatch.Prefix::new),
                given(cohort.getGrpcMethod()).map(PathMatch.Grpc::new))
                .flatMap(Optional::stream).toList();
        return given.size() > 1 ? Optional.of(new PathMatch.Ambiguous()) : given.stream().findFirst();
    }

    private static Optional<String> given(String path) {
        return path.isEmpty() ? Optional.empty() : Optional.of(text("path", path));
    }

    private static Instant instant(String field, long millis) {
        if (millis < 0 || millis > RunSpecs.MAX_MILLIS) {
            throw new IllegalArgumentException(field + " is " + millis + ", not 0 to " + RunSpecs.MAX_MILLIS);
        }
        return Instant.ofEpochMilli(millis);
    }

    private static String name(String field, String name) {
        return bounded(field, name, MAX_NAME_LENGTH);
    }

    private static String text(String field, String text) {
        return bounded(field, text, MAX_TEXT_LENGTH);
    }

    private static String bounded(String field, String text, int length) {
        if (text.length() > length) {
            throw new IllegalArgumentException(field + " has " + text.length() + " characters, more than " + length);
        }
        return text;
    }

    private static void few(String field, int count) {
        if (count > Leases.MAX_MATCHES) {
            throw new IllegalArgumentException(count + " " + field + ", more than " + Leases.MAX_MATCHES);
        }
    }

    /** The text for logs: in one line, and not too long. */
    private static String abbreviated(String text) {
        String start = text.length() > MAX_TEXT_LENGTH ? text.substring(0, MAX_TEXT_LENGTH) : text;
        return LINE_BREAKS.matcher(start).replaceAll(" ");
    }
}
