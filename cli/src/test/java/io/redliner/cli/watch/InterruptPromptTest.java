// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.cli.watch.InterruptPrompt.Choice;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class InterruptPromptTest {

    private final Deque<Integer> keys = new ArrayDeque<>();

    private final InterruptPrompt interruption = new InterruptPrompt(new InterruptPrompt.KeyPrompt() {

        @Override
        public boolean canAsk() {
            return true;
        }

        @Override
        public void ask(String question) {
            assertThat(question).contains("abort", "detach");
        }

        @Override
        public int key() {
            return Objects.requireNonNullElse(keys.poll(), NONE);
        }
    });

    @Test
    void nothing_happens_without_a_press_and_until_an_answer() {
        keys.add((int) 'a');
        assertThat(interruption.poll()).isEqualTo(Choice.NONE);
        keys.clear();

        interruption.pressed();
        assertThat(interruption.poll()).isEqualTo(Choice.NONE);
        assertThat(interruption.asking()).isTrue();
        keys.add((int) 'A');
        assertThat(interruption.poll()).isEqualTo(Choice.ABORT);
        assertThat(interruption.asking()).isFalse();
    }

    @Test
    void any_other_key_keeps_watching() {
        interruption.pressed();
        keys.add((int) 'x');
        assertThat(interruption.poll()).isEqualTo(Choice.NONE);
        assertThat(interruption.asking()).isFalse();

        interruption.pressed();
        keys.add((int) 'd');
        assertThat(interruption.poll()).isEqualTo(Choice.DETACH);
    }

    @Test
    void a_second_press_detaches_at_once() {
        interruption.pressed();
        interruption.pressed();
        assertThat(interruption.poll()).isEqualTo(Choice.NONE);
        assertThat(interruption.poll()).isEqualTo(Choice.DETACH);
    }

    @Test
    void a_press_after_an_abort_does_not_wait_for_restored_traffic() {
        interruption.pressed();
        keys.add((int) 'a');
        assertThat(interruption.poll()).isEqualTo(Choice.ABORT);
        interruption.pressed();
        assertThat(interruption.poll()).isEqualTo(Choice.DETACH);
    }

    @Test
    void without_a_terminal_a_press_detaches() {
        InterruptPrompt alone = new InterruptPrompt(null);
        alone.pressed();
        assertThat(alone.poll()).isEqualTo(Choice.DETACH);
        assertThat(alone.whyDetached()).contains("no terminal");
    }
}
