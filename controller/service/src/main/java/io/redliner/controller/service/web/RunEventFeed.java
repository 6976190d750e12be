// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.persistence.JournalNote;
import io.redliner.controller.service.persistence.RunReadRepository.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest notable journal entries of one run, read once for all who follow it: each of them alone would ask the database
 * for the same at the same time. Safe for use by several threads.
 */
final class RunEventFeed {

    /** A follower that is further behind reads the journal itself. */
    static final int KEPT = 16;

    /** The interval at which changes that another controller made are looked for. */
    static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Source source;

    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable Progress progress;

    private long seenChanges = -1;

    private long lookedAtNanos;

    private List<JournalNote> newest = List.of();

    /** All notable entries behind this sequence are kept, up to the newest; negative until there are any. */
    private long keptAfter = -1;

    /** The source that a feed reads. */
    interface Source {

        /** The progress of the run; empty when there is none. */
        Optional<Progress> progress();

        /** Notable entries after a sequence, in order. */
        List<JournalNote> journal(long after, int limit);
    }

    RunEventFeed(Source source) {
        this.source = source;
    }

    /** The entries that are new to a follower. */
    record Next(List<JournalNote> entries, boolean finished) {}

    /**
     * The entries after a sequence, as of the newest change that the follower knows of; and whether the run is over.
     *
     * @param changes that the follower knows of
     * @throws NoSuchElementException when the run is gone
     */
    Next next(long after, long changes, int limit) throws InterruptedException {
        boolean finished;
        lock.lockInterruptibly();
        try {
            finished = progress(changes).finished();
            if (keptAfter < 0) {
                return new Next(begin(after, limit), finished);
            }
            if (after >= keptAfter) {
                return new Next(newest.stream().filter(entry -> entry.sequence() > after).limit(limit).toList(),
                        finished);
            }
        } finally {
            lock.unlock();
        }
        return new Next(source.journal(after, limit), finished);
    }

    /** The first follower that has caught up begins what is kept. */
    private List<JournalNote> begin(long after, int limit) {
        List<JournalNote> entries = source.journal(after, limit);
        if (entries.size() < limit) {
            keptAfter = after;
            keep(entries);
        }
        return entries;
    }

    private Progress progress(long changes) {
        long begin = System.nanoTime();
        if (progress != null && seenChanges >= changes && begin - lookedAtNanos <= LOOK_AGAIN.toNanos() / 2) {
            return progress;
        }
        Progress found = source.progress().orElseThrow(() -> new NoSuchElementException("the run is gone"));
        if (!found.equals(progress) && keptAfter >= 0) {
            List<JournalNote> more;
            do {
                more = source.journal(newest.isEmpty() ? keptAfter : newest.getLast().sequence(), KEPT);
                keep(more);
            } while (more.size() == KEPT);
        }
        progress = found;
        seenChanges = changes;
        lookedAtNanos = begin;
        return found;
    }

    private void keep(List<JournalNote> more) {
        List<JournalNote> all = new ArrayList<>(newest);
        all.addAll(more);
        int excess = Math.max(0, all.size() - KEPT);
        if (excess > 0) {
            keptAfter = all.get(excess - 1).sequence();
        }
        newest = List.copyOf(all.subList(excess, all.size()));
    }
}
