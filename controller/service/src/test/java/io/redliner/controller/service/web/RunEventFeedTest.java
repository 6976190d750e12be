// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.service.persistence.JournalNote;
import io.redliner.controller.service.persistence.RunReadRepository.Progress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RunEventFeedTest {

    private static final int LIMIT = 200;

    private final Journal journal = new Journal();

    private final RunEventFeed feed = new RunEventFeed(journal);

    /** A journal whose every third entry is notable. */
    private static final class Journal implements RunEventFeed.Source {

        private final List<JournalNote> entries = new CopyOnWriteArrayList<>();

        private final AtomicLong version = new AtomicLong();

        private final AtomicInteger reads = new AtomicInteger();

        private volatile boolean finished;

        private volatile boolean gone;

        void write(int count) {
            for (int number = 0; number < count; number++) {
                long sequence = version.get() + 1;
                if (sequence % 3 == 0) {
                    entries.add(new JournalNote(sequence, Instant.EPOCH, new RunEvent.Tick(), "Ramping",
                            new Share(100_000), null, null, List.of()));
                }
                version.set(sequence);
            }
        }

        @Override
        public Optional<Progress> progress() {
            reads.incrementAndGet();
            return gone ? Optional.empty() : Optional.of(new Progress(version.get(), finished));
        }

        @Override
        public List<JournalNote> journal(long after, int limit) {
            reads.incrementAndGet();
            return entries.stream().filter(entry -> entry.sequence() > after).limit(limit).toList();
        }
    }

    private List<Long> next(long after, long changes) throws InterruptedException {
        return feed.next(after, changes, LIMIT).entries().stream().map(JournalNote::sequence).toList();
    }

    @Test
    void a_change_is_read_once_for_all_who_follow() throws Exception {
        journal.write(6);
        assertThat(next(0, 0)).containsExactly(3L, 6L);
        journal.write(3);
        int before = journal.reads.get();

        for (int follower = 0; follower < 8; follower++) {
            assertThat(next(6, 1)).containsExactly(9L);
        }

        assertThat(journal.reads.get() - before).as("how far the run has come, and the new entries").isEqualTo(2);
    }

    @Test
    void a_follower_that_is_far_behind_reads_for_itself_and_catches_up() throws Exception {
        journal.write(3 * 1000);
        List<Long> read = new ArrayList<>();
        long after = 0;
        for (List<Long> some = next(after, 0); !some.isEmpty(); some = next(after, 0)) {
            read.addAll(some);
            after = some.getLast();
        }
        assertThat(read).hasSize(1000).isSorted();
        journal.write(3 * 100);

        assertThat(next(after, 1)).as("more than is kept").hasSize(100);
        assertThat(next(0, 1)).hasSize(LIMIT).startsWith(3L);
    }

    @Test
    void the_end_is_sent_and_so_is_a_run_that_is_gone() throws Exception {
        journal.write(3);
        assertThat(feed.next(3, 0, LIMIT).finished()).isFalse();
        journal.finished = true;
        assertThat(feed.next(3, 1, LIMIT).finished()).isTrue();
        journal.gone = true;
        assertThatThrownBy(() -> feed.next(3, 2, LIMIT)).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void each_of_many_followers_gets_every_entry_once_and_in_order() throws Exception {
        AtomicLong changes = new AtomicLong();
        Callable<List<Long>> follower = () -> {
            List<Long> got = new ArrayList<>();
            while (true) {
                RunEventFeed.Next next = feed.next(got.isEmpty() ? 0 : got.getLast(), changes.get(), 5);
                next.entries().forEach(entry -> got.add(entry.sequence()));
                if (next.entries().isEmpty() && next.finished()) {
                    return got;
                }
            }
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Long>>> followers = new ArrayList<>();
            for (int number = 0; number < 8; number++) {
                followers.add(threads.submit(follower));
            }
            for (int number = 0; number < 500; number++) {
                journal.write(number % 100);
                changes.incrementAndGet();
            }
            journal.finished = true;
            changes.incrementAndGet();

            List<Long> all = journal.entries.stream().map(JournalNote::sequence).toList();
            for (Future<List<Long>> one : followers) {
                assertThat(one.get()).isEqualTo(all);
            }
        }
    }
}
