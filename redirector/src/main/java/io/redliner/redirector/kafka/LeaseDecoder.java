// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Leases;
import io.redliner.contract.RunSpecs;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectCodec;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.text.LogText;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.LeaseListener;
import io.redliner.redirector.lease.RequestedTraffic;
import io.redliner.redirector.lease.Validity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads leases off the wire. Anybody with access to the topic may have written them, so numbers and sizes are bounded here.
 */
public final class LeaseDecoder {

    /** Characters of the name of a service, a run or an instance. */
    private static final int MAX_NAME_LENGTH = 512;

    /** Characters of a text for people. */
    private static final int MAX_TEXT_LENGTH = 4_096;

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
        killSwitch(record).ifPresentOrElse(killSwitch -> listener.killSwitchChanged(killSwitch, receivedAt),
                () -> listener.received(late
                        ? read(record).receivedLate(lead, receivedAt)
                        : read(record).received(lead, receivedAt), receivedAt));
    }

    /**
     * Reads a lease, without validating it.
     *
     * @throws InvalidProtocolBufferException when the record is not a lease
     * @throws IllegalArgumentException when a number or a size in it is out of bounds
     */
    public static Lease read(byte[] record) throws InvalidProtocolBufferException {
        return read(parse(record));
    }

    /**
     * Parses the record, unless it is larger than any that a controller writes.
     *
     * @throws InvalidProtocolBufferException when it is not a lease
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

    /** Returns the kill switch in the record, or empty when the record is a lease. */
    static Optional<KillSwitch> killSwitch(io.redliner.contract.v1.Lease record) {
        return record.hasKillSwitch()
                ? Optional.of(KillSwitch.read(record.getKillSwitch(), LeaseDecoder::abbreviated))
                : Optional.empty();
    }

    static Lease read(io.redliner.contract.v1.Lease lease) {
        Redirect redirect = Redirect.SPLIT;
        String fault = null;
        try {
            if (lease.hasRedirect()) {
                redirect = RedirectCodec.read(lease.getRedirect());
            }
        } catch (IllegalArgumentException impossible) {
            fault = abbreviated(String.valueOf(impossible.getMessage()));
        }
        return new Lease(name("service", lease.getService()), name("run_id", lease.getRunId()), lease.getEpoch(),
                lease.getSequence(),
                new RequestedTraffic(name("sut", lease.getSut()), Integer.toUnsignedLong(lease.getSharePpm()),
                        lease.getMaxSharePpm() == 0 ? Share.WHOLE_PPM : Integer.toUnsignedLong(lease.getMaxSharePpm()),
                        redirect, fault, lease.getNatural()),
                new Validity(instant("issued_at_ms", lease.getIssuedAtMs()),
                        instant("expires_at_ms", lease.getExpiresAtMs()),
                        Duration.ofMillis(Math.clamp(lease.getTtlMs(), 0, Lease.MAX_TTL.toMillis()))),
                lease.getReleased());
    }

    private static Instant instant(String field, long millis) {
        if (millis < 0 || millis > RunSpecs.MAX_MILLIS) {
            throw new IllegalArgumentException(field + " is " + millis + ", not 0 to " + RunSpecs.MAX_MILLIS);
        }
        return Instant.ofEpochMilli(millis);
    }

    private static String name(String field, String name) {
        if (name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    field + " has " + name.length() + " characters, more than " + MAX_NAME_LENGTH);
        }
        return name;
    }

    /** Returns the text for logs: in one line, and not too long. */
    private static String abbreviated(String text) {
        return LogText.line(text, MAX_TEXT_LENGTH);
    }
}
