// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.host.DeviceInventory.DiskStats;
import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.source.SampleSet;
import java.time.Duration;
import java.time.Instant;

/** Samples how busy the disks are, and how many requests wait for them. */
final class DiskSampler {

    private final DeviceInventory devices;

    private final CounterDeltas counters = new CounterDeltas();

    DiskSampler(DeviceInventory devices) {
        this.devices = devices;
    }

    void sample(SampleSet samples, Duration pace) {
        double busiest = -1;
        long longest = -1;
        Instant from = samples.now();
        for (DiskStats disk : devices.disks(samples.now())) {
            if (!disk.isReal()) {
                continue;
            }
            longest = Math.max(longest, disk.queue());
            samples.level("disk.queue[" + disk.name() + "]", (double) disk.queue(), pace);
            var busy = counters.read(disk.name(), disk.busyMillis(), samples.now());
            if (busy.isPresent()) {
                double part = busy.get().perSecond() / 1_000;
                busiest = Math.max(busiest, part);
                from = busy.get().from();
                samples.ratio("disk.busy[" + disk.name() + "]", part, from, pace);
            }
        }
        if (longest >= 0) {
            samples.level("disk.queue", (double) longest, pace);
        }
        if (busiest >= 0) {
            samples.ratio("disk.busy", busiest, from, pace);
        }
        counters.removeOld(samples.now());
    }
}
