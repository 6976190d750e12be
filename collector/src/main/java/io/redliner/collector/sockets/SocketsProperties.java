// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the sockets probe.
 *
 * @param enabled whether the sockets of this machine are measured
 * @param fullQueue bytes from which on the queue of one connection counts as full, 1 KiB to 1 GiB
 * @param cpu how much of one core reading the kernel's tables may take, above 0 and at most 1. On a large machine
 * the kernel needs milliseconds even for a nearly empty table; such a table is read less often
 * @param maxSockets largest number of rows of a table, 1000 to 10 million; a longer table is not reported
 */
@ConfigurationProperties(prefix = "redliner.collector.sockets", ignoreUnknownFields = false)
public record SocketsProperties(@DefaultValue("true") boolean enabled,
        @DefaultValue("16KB") DataSize fullQueue, @DefaultValue("0.005") double cpu,
        @DefaultValue("200000") int maxSockets) {

    private static final long MIN_FULL = 1L << 10;

    private static final long MAX_FULL = 1L << 30;

    public SocketsProperties {
        if (fullQueue.toBytes() < MIN_FULL || fullQueue.toBytes() > MAX_FULL) {
            throw new IllegalArgumentException(
                    "redliner.collector.sockets.full-queue is 1KB to 1GB; not " + fullQueue);
        }
        if (!(cpu > 0 && cpu <= 1)) {
            throw new IllegalArgumentException(
                    "redliner.collector.sockets.cpu is above 0 and at most 1, a part of a core; not " + cpu);
        }
        if (maxSockets < 1_000 || maxSockets > 10_000_000) {
            throw new IllegalArgumentException(
                    "redliner.collector.sockets.max-sockets is 1000 to 10000000; not " + maxSockets);
        }
    }
}
