// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class RunChangeNotifierTest {

    private final RunChangeNotifier signals = new RunChangeNotifier();

    @Test
    void a_follower_wakes_once_for_the_changes_of_its_run_and_for_no_other_run() throws Exception {
        try (RunChangeNotifier.Follower ours = signals.follow("ours");
                RunChangeNotifier.Follower theirs = signals.follow("theirs")) {
            signals.changed(List.of("ours"));
            signals.changed(List.of("ours", "a third"));

            assertThat(ours.await(Duration.ZERO)).isTrue();
            assertThat(ours.await(Duration.ZERO)).isFalse();
            assertThat(theirs.await(Duration.ZERO)).isFalse();
        }
    }

    @Test
    void one_of_two_followers_that_leaves_takes_nothing_from_the_other() throws Exception {
        try (RunChangeNotifier.Follower stays = signals.follow("run")) {
            signals.follow("run").close();

            signals.changed(List.of("run"));

            assertThat(stays.await(Duration.ZERO)).isTrue();
        }
    }
}
