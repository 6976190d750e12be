// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.simulation.Forgery.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The forged records of a world, and a kill switch that they may be directed against.
 *
 * @param engagedAt when somebody engages the kill switch, ms after the submission; below 0 when nobody does
 * @param releasedAt when somebody releases it
 */
record Forgeries(List<Forgery> all, long engagedAt, long releasedAt) {

    static final Forgeries NONE = new Forgeries(List.of(), -1, -1);

    private static final List<Kind> KINDS = List.of(Kind.values());

    /** From here on nobody begins to forge, ms after the submission. */
    private static final long LATEST = 80_000;

    /** The forgeries of the world with this seed. */
    static Forgeries of(long seed) {
        SplittableRandom random = new SplittableRandom(seed * 0x9e3779b97f4a7c15L + 1);
        List<Forgery> all = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            int records = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(30);
            all.add(new Forgery(KINDS.get(random.nextInt(KINDS.size())), random.nextLong(LATEST) - 3000,
                    records, 1 + random.nextInt(random.nextInt(2) == 0 ? 40 : 1200)));
        }
        if (random.nextInt(3) > 0) {
            return new Forgeries(all, -1, -1);
        }
        long engagedAt = random.nextLong(LATEST) - 2000;
        all.add(new Forgery(Kind.SWITCH_RELEASED, engagedAt + random.nextInt(2000), 20 + random.nextInt(200),
                10 + random.nextInt(300)));
        all.add(new Forgery(Kind.LEASE_NEXT_EPOCH, engagedAt - 3000 + random.nextInt(9000), 1 + random.nextInt(20),
                100 + random.nextInt(2000)));
        return new Forgeries(all, engagedAt, engagedAt + 12_000 + random.nextInt(60_000));
    }

    boolean none() {
        return all.isEmpty();
    }
}
