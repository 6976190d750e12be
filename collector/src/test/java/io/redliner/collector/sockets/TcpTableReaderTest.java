// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TcpTableReaderTest {

    private static final String HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt"
            + "   uid  timeout inode                                                     \n";

    @TempDir
    private Path folder;

    private final TcpTableReader table = new TcpTableReader();

    @Test
    void reads_what_the_kernel_writes() throws IOException {
        var seen = read(HEADER
                + "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000003 00:00000000 00000000     0        0 1528 1 0 100\n"
                + "   1: 0100007F:1F90 0200007F:D431 01 00027A40:00000010 04:00000014 00000000     0        0 99 4 0 20\n"
                + "   2: 0100007F:1F90 0200007F:D432 01 00000040:00000000 01:00000014 00000002     0        0 99 4 0 20\n");

        assertThat(seen).containsExactly("7f.8080 listens 3", "7f.8080 from 54321 sent 162368 received 16 closed",
                "7f.8080 from 54322 sent 64 received 0 again");
        assertThat(table.rows()).isEqualTo(3);
        assertThat(table.malformed()).isZero();
    }

    @Test
    void an_address_of_version_4_is_the_same_in_the_table_of_version_6() throws IOException {
        TcpTableRow four = new TcpTableRow();
        TcpTableRow six = new TcpTableRow();
        byte[] plain = "0: 0100007F:1F90 0200007F:D431 01 00000000:00000000 00:00000000 00000000 0"
                .getBytes(StandardCharsets.US_ASCII);
        byte[] mapped = ("0: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000200007F:D431 01 "
                + "00000000:00000000 00:00000000 00000000 0").getBytes(StandardCharsets.US_ASCII);

        assertThat(four.parse(plain, 0, plain.length)).isTrue();
        assertThat(six.parse(mapped, 0, mapped.length)).isTrue();

        assertThat(six.localLow()).isEqualTo(four.localLow());
        assertThat(six.localHigh()).isEqualTo(four.localHigh()).isZero();
        assertThat(six.remoteLow()).isEqualTo(four.remoteLow()).isNotEqualTo(four.localLow());
    }

    @Test
    void rows_are_whole_wherever_a_piece_ends() throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        long sum = 0;
        for (int row = 0; row < 10_000; row++) {
            text.append("%4d: 0100007F:1F90 0200007F:%04X 01 %08X:00000000 00:00000000 00000000 %d 0 99 4 0 20%n"
                    .formatted(row, row, row, row * 17));
            sum += row;
        }
        long[] sent = new long[1];

        table.read(file(text.toString()), 1 << 20, row -> sent[0] += row.send());

        assertThat(table.rows()).isEqualTo(10_000);
        assertThat(table.malformed()).isZero();
        assertThat(sent[0]).isEqualTo(sum);
    }

    @Test
    void no_more_rows_are_read_than_wanted() throws IOException {
        String row = "   1: 0100007F:1F90 0200007F:D431 01 00000001:00000000 00:00000014 00000000     0        0 99\n";
        long[] seen = new long[1];

        table.read(file(HEADER + row.repeat(5_000)), 1_000, one -> seen[0]++);

        assertThat(table.rows()).isEqualTo(1_000);
        assertThat(seen[0]).isEqualTo(1_000);
    }

    @Test
    void what_is_no_row_is_counted_and_does_no_harm() throws IOException {
        String good = "   1: 0100007F:1F90 0200007F:D431 01 00000001:00000000 00:00000014 00000000     0        0 99\n";

        assertThat(read(HEADER + "<html>\n" + good + good.substring(0, 40) + "\n" + "x".repeat(200_000) + "\n" + good))
                .hasSize(2);
        assertThat(table.malformed()).isGreaterThanOrEqualTo(3);
        Random random = new Random(5);
        for (int round = 0; round < 200; round++) {
            byte[] noise = new byte[random.nextInt(5_000)];
            random.nextBytes(noise);
            table.read(Files.write(folder.resolve("tcp"), noise), 1 << 20, row -> {});
        }
        assertThat(read("")).isEmpty();
    }

    private List<String> read(String text) throws IOException {
        List<String> seen = new ArrayList<>();
        table.read(file(text), 1 << 20, row -> seen.add(Long.toHexString(row.localLow() & 0xFF) + "."
                + row.localPort() + (row.isListening()
                        ? " listens " + row.receive()
                        : " from " + row.remotePort() + " sent " + row.send() + " received " + row.receive()
                                + (row.isWindowClosed() ? " closed" : "") + (row.isRetransmitting() ? " again" : ""))));
        return seen;
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("tcp"), text);
    }
}
