// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.messaging;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.redirector.share.Lease;
import io.redliner.redirector.share.Redirect;
import java.time.Duration;
import java.time.Instant;

/** Reads leases off the wire. */
public final class LeaseReader {

    /** No sane lease is longer; keeps arithmetic with nonsense from overflowing. */
    private static final long LONGEST_TTL_MILLIS = Duration.ofDays(1).toMillis();

    private LeaseReader() {}

    /**
     * One lease; nothing about it is believed yet.
     *
     * @throws InvalidProtocolBufferException when it is none
     */
    public static Lease read(byte[] record) throws InvalidProtocolBufferException {
        io.redliner.contract.v1.Lease lease = io.redliner.contract.v1.Lease.parseFrom(record);
        return new Lease(lease.getService(), lease.getRunId(), lease.getEpoch(), lease.getSequence(), lease.getSut(),
                Integer.toUnsignedLong(lease.getSharePpm()), Instant.ofEpochMilli(lease.getIssuedAtMs()),
                Instant.ofEpochMilli(lease.getExpiresAtMs()),
                Duration.ofMillis(Math.clamp(lease.getTtlMs(), 0, LONGEST_TTL_MILLIS)), lease.getReleased(),
                lease.hasRedirect() ? RedirectReader.read(lease.getRedirect()) : Redirect.SPLIT);
    }
}
