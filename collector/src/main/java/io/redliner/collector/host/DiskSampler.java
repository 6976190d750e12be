// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.source.SampleSet;
import java.time.Duration;
import java.time.Instant;

/** Samples how busy the disks are, and how many requests wait for them. */
final class DiskSampler {

    private final DeviceInventory hardware;

    private final CounterDeltas counters = new CounterDeltas();

    DiskSampler(DeviceInventory hardware) {
        this.hardware = hardware;
    }

    void look(SampleSet readings, Duration pace) {
        double busiest = -1;
        long longest = -1;
        Instant from = readings.now();
        for (DiskStats disk : hardware.disks(readings.now())) {
            if (!disk.isReal()) {
                continue;
            }
            longest = Math.max(longest, disk.queue());
            readings.level("disk.queue[" + disk.name() + "]", (double) disk.queue(), pace);
            var busy = counters.read(disk.name(), disk.busyMillis(), readings.now());
            if (busy.isPresent()) {
                double part = busy.get().perSecond() / 1_000;
                busiest = Math.max(busiest, part);
                from = busy.get().from();
                readings.ratio("disk.busy[" + disk.name() + "]", part, from, pace);
            }
        }
        if (longest >= 0) {
            readings.level("disk.queue", (double) longest, pace);
        }
        if (busiest >= 0) {
            readings.ratio("disk.busy", busiest, from, pace);
        }
        counters.tidy(readings.now());
    }
}
