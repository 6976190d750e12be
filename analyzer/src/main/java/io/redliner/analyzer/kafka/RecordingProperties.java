// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Whether to record what the analysis is told, so that it can be replayed.
 *
 * @param tape folder for the tapes, one for each partition and start; null records nothing
 * @param tapeSize that a tape may have; the analysis goes on when it is full, the tape does not
 */
@ConfigurationProperties("redliner.analyzer.stream")
public record RecordingProperties(@Nullable Path tape, @DefaultValue("256MB") DataSize tapeSize) {}
