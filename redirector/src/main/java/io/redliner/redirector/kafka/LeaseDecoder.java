// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.redirector.lease.KillSwitch;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.routing.Redirect;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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
                Duration.ofMillis(Math.clamp(lease.getTtlMs(), 0, Lease.LONGEST_TTL.toMillis())), lease.getReleased(),
                lease.hasRedirect() ? RedirectReader.read(lease.getRedirect()) : Redirect.SPLIT);
    }
}
