// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** A DNS server on a port of the loopback interface that answers what the test says. */
public final class SmallDnsServer implements AutoCloseable {

    /** What it does with all questions from now on. */
    private sealed interface Manner {}

    /** Those of the records that are of the question's name (or an alias) and type. */
    private record Zone(List<Record> records) implements Manner {}

    private record Refusal(int rcode) implements Manner {}

    private record Silence() implements Manner {}

    private static final long TTL_SECONDS = 3_600;

    private final DatagramSocket socket;

    private final AtomicInteger questions = new AtomicInteger();

    private volatile Manner manner = new Silence();

    /** On a port of its own, silent. */
    public SmallDnsServer() throws IOException {
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("small-dns-server").start(this::serve);
    }

    /** Its UDP port. */
    public int port() {
        return socket.getLocalPort();
    }

    /** How many have come. */
    public int questions() {
        return questions.get();
    }

    /** From now on it has these records. */
    public void answer(Record... records) {
        manner = new Zone(List.of(records));
    }

    /** A record that could be kept for an hour. */
    public static Record record(String name, String address) {
        try {
            InetAddress parsed = InetAddress.getByName(address);
            Name absolute = Name.fromString(name + ".");
            return address.indexOf(':') < 0
                    ? new ARecord(absolute, DClass.IN, TTL_SECONDS, parsed)
                    : new AAAARecord(absolute, DClass.IN, TTL_SECONDS, parsed);
        } catch (IOException impossible) {
            throw new IllegalArgumentException(address, impossible);
        }
    }

    /** From now on it answers with this code alone. */
    public void refuse(int rcode) {
        manner = new Refusal(rcode);
    }

    /** From now on it does not answer. */
    public void keepSilent() {
        manner = new Silence();
    }

    private void serve() {
        byte[] buffer = new byte[4096];
        while (!socket.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                questions.incrementAndGet();
                Message question = new Message(Arrays.copyOf(buffer, packet.getLength()));
                Message answer = answer(question);
                if (answer != null) {
                    byte[] bytes = answer.toWire();
                    socket.send(new DatagramPacket(bytes, bytes.length, packet.getSocketAddress()));
                }
            } catch (IOException broken) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(broken);
                }
            }
        }
    }

    private @Nullable Message answer(Message question) {
        Message answer = new Message(question.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.addRecord(question.getQuestion(), Section.QUESTION);
        switch (manner) {
            case Silence silence -> {
                return null;
            }
            case Refusal refusal -> answer.getHeader().setRcode(refusal.rcode());
            case Zone zone -> {
                answer.getHeader().setRcode(Rcode.NOERROR);
                zone.records().stream().filter(record -> record.getType() == question.getQuestion().getType()
                        || record.getType() == Type.CNAME)
                        .forEach(record -> answer.addRecord(record, Section.ANSWER));
            }
        }
        return answer;
    }

    @Override
    public void close() {
        socket.close();
    }
}
