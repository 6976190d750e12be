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
 * The newest notable journal entries of one run, read once for all its followers. Without it, each follower would send the
 * same query to the database at the same time. Safe for use by several threads.
 */
final class RunEventFeed {

    /** The number of entries that are kept. A follower that is further behind reads the journal itself. */
    static final int KEPT = 16;

    /** The interval of the polls that find changes by another controller. */
    static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private final Source source;

    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable Progress progress;

    private long lastChanges = -1;

    private long readAtNanos;

    private List<JournalNote> newest = List.of();

    /** The sequence after which all notable entries are kept; negative until a follower has caught up. */
    private long keptAfter = -1;

    /** The source that a feed reads. */
    interface Source {

        /** Returns the progress of the run; empty when there is none. */
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
     * Returns the entries after a sequence and whether the run is finished.
     *
     * @param changes number of changes that the follower knows of; the answer is at least as new
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

    /** Reads the journal. Entries are kept from the first time that a follower has caught up with it. */
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
        if (progress != null && lastChanges >= changes && begin - readAtNanos <= POLL_INTERVAL.toNanos() / 2) {
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
        lastChanges = changes;
        readAtNanos = begin;
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
