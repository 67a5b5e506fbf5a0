"""Write the three invented folders of asked_14 and check its questions.

    python build.py OUT            # writes OUT/proposals, OUT/enhancements and OUT/wiki
    python build.py OUT --check    # writes them, then checks questions.jsonl against them

Standard library only, fixed seeds: the same files on every run.
"""

import collections
import datetime
import json
import os
import random
import re
import sys

PROPOSALS = r"""
@ Purpose and Guidelines | How a proposal is written, numbered and carried to an end | meta | REVIEW_DAYS=14 days::shortest time in Last Call; STAGNANT_DAYS=180 days::silence after which a proposal is set aside
M A protocol that lives in the walls of houses for decades needs a record of why it is the way it is, and mailing lists forget.
S A proposal begins as Draft. An editor moves it to Review when its champion asks for it, then to Last Call with a deadline, and then to Final. A Draft or Review document in which nothing has happened for 180 days becomes Stagnant; anybody may wake it up by opening a change. Living is reserved for documents that are never finished, such as this one.
S A champion who gives up sets the status to Withdrawn and states the reason in the preamble. A withdrawn number is never handed out a second time.
R Votes were considered and left out. Three editors who must agree on form, and a public objection period for the substance, have served other projects well, while votes mostly measure who turned up.
@ Battery Gauge Cluster | A common way for devices to report how full their cells are | battery | GAUGE_STEP=2 percent::smallest change worth a report; MAX_CELLS=16::cells that one device may describe
M Every vendor had its own idea of "low": one sensor cried for help at 40 percent while its neighbour fell silent at 3.
S A device MUST express charge in half percent units from 0 to 200. The value 255 means that the device cannot tell. A report goes out when the value moves by GAUGE_STEP or once a day, whichever comes first.
R Volts were the obvious alternative. They were dropped because the curve of a lithium cell is flat for most of its life, so that a reader would have needed the chemistry, the temperature and the load to make sense of one figure.
X A charge that drops every evening at the same hour tells an eavesdropper when somebody comes home. Reports are therefore sent under the group key and never as a plain broadcast.
@ Quiet Cells | Lets sleeping devices skip check-ins while their battery is nearly flat | battery | QUIET_THRESHOLD=8 percent::charge below which a device goes quiet; QUIET_INTERVAL=6 hours::check-in spacing while quiet; WAKE_BUDGET=3::forced wake-ups a day
M A water leak sensor that dies in the last week of its battery is worse than one that speaks rarely, and most of that last week is spent saying that nothing happened.
S Once its charge is below QUIET_THRESHOLD a device MAY announce quiet mode. From then on it checks in every QUIET_INTERVAL only. Alarms are exempt: a quiet device MUST still send an alarm at once. The hub shows quiet devices with a half moon and MUST NOT mark them as missing before three quiet intervals have passed.
R A longer interval of a whole day was tried in the field trial in Tampere and rejected, since people replaced the sensor rather than its battery when the app claimed that it was gone.
B Hubs that have never heard of quiet mode see a device that checks in late and will show it as unreachable. That is ugly but harmless, and it is what they showed before.
X An attacker who can forge a low reading could talk a device into quiet mode. The announcement is only valid if it is signed with the device key, and the hub can force up to WAKE_BUDGET wake-ups a day to verify.
@ Coin Cell Chemistry Codes | A registry of codes for primary cells | battery | CODE_SPACE=128::codes in the registry
M Shopping lists made by hubs told people to buy CR2032 cells for devices that needed the thicker CR2450.
S A code is one byte. Codes below 16 stand for lithium, those from 16 to 47 for alkaline cells, and the rest is handed out in blocks of eight. A device that takes two kinds of cell lists both, the better one first.
@ Swap Reminder Messages | Reminders that name the cell, the tool and the place | battery | REMIND_LEAD=21 days::lead time of the first reminder; REMIND_REPEAT=5 days::spacing of later ones
M Nobody remembers in which drawer the spare cells are, or that the door contact in the attic needs a torx driver.
S The first reminder names the room, the cell and the tool. Later ones are shorter. No reminder is sent between Friday evening and Saturday noon, when shops are full and patience is low.
@ Recharge Scheduling for Blinds | Charge motor packs while the sun is on the panel | battery | CHARGE_WINDOW=4 hours::longest charging window; MIN_SUN=120 lux::light needed to begin
M Motorised blinds with a strip of solar cells were charging at night from the mains adapter, which defeats the point of the strip.
S The hub ranks the blinds of a house by charge and lets the emptiest begin. A blind that is in use interrupts its charging and goes to the end of the list.
@ Cold Cell Compensation | Correct the reading of cells mounted outdoors | battery | COLD_LIMIT=-10 degrees::temperature below which readings are held; HOLD_TIME=90 minutes::longest hold
M Garden gate contacts reported empty cells on the first frosty morning and full ones by noon.
S While the housing is colder than COLD_LIMIT the device repeats its last good reading with a snowflake flag. If the cold outlasts HOLD_TIME it reports the raw value, still flagged.
@ Battery Passport Records | A signed life history that travels with a battery pack | battery | PASSPORT_SIZE=2048 bytes::size of one record; MAX_OWNERS=12::changes of owner kept
M From 2027 on, packs above two kilowatt hours must carry a passport in several markets, and a home that moves should not lose it.
S A record lists the maker, the chemistry, the first day of service and each change of owner. Records are chained, so that a missing one is seen at once. Pages are never rewritten; a correction is a new page.
@ Backup Pack Handover | Pass the load between two packs without a gap | battery | HANDOVER_GAP=20 milliseconds::longest interruption; MAX_PACKS=4::packs in one group
M A hub on a backup pack rebooted whenever its pack was exchanged, and with it went every alarm in the house.
S The pack with the lower impedance takes over first. Both are connected for a moment through a diode, and only then is the old one released. A pack that sags by more than eight percent on the way is rejected.
@ Harvested Power Profile | A profile for switches that live on the press of a finger | battery | HARVEST_ENERGY=180 microjoules::energy of one press; FRAME_REPEAT=3::copies of each frame
M A switch without any cell cannot wait for an answer, since its energy is gone before the answer is on the air.
S A harvesting device sends each frame FRAME_REPEAT times in a row and never listens. The receiver drops the copies by their counter. Since there is no acknowledgement, such a device MUST NOT control anything whose failure matters, which the table lists as locks, valves, and heating rods.
@ Cell Age Estimation | Estimate the age of rechargeable cells from their cycles | battery | CYCLE_LIMIT=800::cycles after which a cell counts as old; SAMPLE_EVERY=25::cycles between two samples
M Owners asked for the health of a pack and got its charge, which is a different thing.
S Two samples at the same temperature are compared, and everything else is thrown away. The estimate is shown as young, grown or old, as nobody acts on a percentage.
@ Deadbolt State Model | Five states that a bolt can be in and the moves between them | lock | JAM_TIMEOUT=4 seconds::time after which a bolt counts as jammed; MAX_RETRY=2::tries to free a bolt
M Two states were never enough: a bolt may be half way, blocked by a warped frame, or simply unknown after a power cut.
S The states are locked, unlocked, moving, jammed and unknown. A bolt that has not reached its end within JAM_TIMEOUT enters jammed, and the lock MUST NOT report locked before the end switch has closed.
R A sixth state, ajar, was removed during review. Whether the door is open is a matter of the door contact and a lock that guesses about it has been wrong more than once.
@ Guest Codes with Expiry | Door codes that end by themselves | lock | MAX_GUEST_CODES=40::codes stored in one lock; CODE_LENGTH=6::shortest code in digits; GRACE_PERIOD=15 minutes::use allowed after the end
M People who rent out a room hand out one code a season and never take it back.
S A guest code has a beginning, an end and an optional list of weekdays. A lock without a clock that has been set within the last week MUST refuse guest codes and fall back to the owner code. A code may still be used for GRACE_PERIOD after its end, but only from the inside keypad.
R Codes of four digits were asked for by two vendors. With a ten second delay after three wrong tries, four digits fall in about nine hours of patient typing, so six became the minimum.
X A lock stores a salted hash of each code and never the code. The number of stored hashes is capped at MAX_GUEST_CODES because the check must not take longer than a person is willing to stand in the rain.
@ Auto Relock Timers | Lock again when nobody came in | lock | RELOCK_DEFAULT=45 seconds::time until the bolt goes back; RELOCK_MAX=600 seconds::longest timer
M A door that was opened remotely for a courier should not stay open when the courier has left.
S The timer starts when the bolt opens and stops when the door contact opens. If the door was never opened the bolt goes back; if it stays open the lock chirps once a minute and waits.
@ Duress Entry Signal | A second code that opens the door and calls for help | lock | DURESS_OFFSET=1::added to the last digit; SILENT_WINDOW=30 seconds::time in which no light may show
M Somebody who is forced to open a door must be able to do so without any visible sign that help is on the way.
S The code for an emergency is the usual one with DURESS_OFFSET added to its last digit, nine becoming zero. The door opens as always, and the alarm goes out over the path with the least light and sound.
@ Lock Event Journal | An append-only journal of who opened what | lock | JOURNAL_ENTRIES=512::entries kept in the lock; JOURNAL_AGE=90 days::age at which entries are erased
M After a burglary the insurer asks who opened the door, and most locks remember only the last ten events.
S Entries are written in a ring with a hash of the one before. The lock refuses to erase an entry younger than JOURNAL_AGE, and the ring gives the oldest of the others away first.
@ Door Frame Alignment Hints | Tell the owner that the frame has moved | lock | ALIGN_SAMPLES=30::closings in the moving average; ALIGN_LIMIT=1.5 millimetres::offset that gives a hint
M Wooden frames swell in autumn, the bolt begins to scrape, and the motor fails in January.
S The lock measures how far the bolt has to be pushed before it slides freely. A slow drift gives a hint in the app with a picture of the hinge to tighten.
@ Shared Entrance Arbitration | One front door, many flats | lock | MAX_TENANTS=64::flats behind one door; ARBITER_LEASE=10 minutes::lease of the arbiter role
M A house with forty flats has forty hubs and a single street door, and each hub believed that the door was its own.
S The hubs elect an arbiter that holds a lease of ARBITER_LEASE. Only the arbiter talks to the street door. If the lease runs out the hub with the lowest identifier takes over after a random pause. A tenant can never read the events of another tenant; the arbiter relays only the verdict.
@ Keypad Lockout Backoff | Growing delays after wrong codes | lock | FIRST_DELAY=10 seconds::delay after three errors; DELAY_FACTOR=2::growth of the delay; DELAY_CAP=15 minutes::longest delay
M A fixed delay is either a nuisance to a tired owner or no obstacle to a patient thief.
S After three errors the keypad waits FIRST_DELAY, and each further error multiplies the wait by DELAY_FACTOR. A correct code during a wait is not even looked at. The inside knob is not concerned.
@ Emergency Egress Override | Locks open from the inside whatever else is said | lock | EGRESS_TIME=2 seconds::time in which the bolt must be free
M A child was shut in for two hours because a scene kept locking a door in Rennes, and no rule in the protocol forbade it.
S Turning the inside knob MUST free the bolt within EGRESS_TIME, with or without power, network or a valid clock. No message, scene, schedule or lockout may delay it. A device that cannot promise this MUST NOT claim the lock profile.
R Making the override optional for cabinets was discussed. The editors preferred a separate cabinet profile to a hole in this one.
@ Fob Revocation Lists | Compact lists of lost fobs | lock | FILTER_BITS=4096::size of the filter; FALSE_RATE=0.1 percent::rate of wrongly refused fobs
M A lost fob had to be removed from each of a dozen doors by hand.
S The list is a filter with four hash functions. A fob that hits the filter by chance is sent to the hub for a second opinion, which takes about a second.
@ Mailbox Door Profile | A small profile for letter and parcel boxes | lock | PARCEL_WINDOW=3 hours::time for which a courier code holds; FLAP_DEBOUNCE=700 milliseconds::debounce of the flap contact
M Parcel boxes are locks with a short memory and a wet battery, and the full lock profile does not fit into them.
S A courier code opens the box once. The flap contact tells letters from parcels by how long it stays open, and a full box answers FULL before a courier gets out of the van.
@ Glass Break Interlock | Hold the bolts when a pane breaks | lock | HOLD_AFTER_BREAK=5 minutes::time for which bolts hold
M Thieves break the pane beside the door and turn the knob from the inside.
S When a glass sensor fires, bolts next to that pane refuse outside commands and keep the inside knob free. The wait ends early if an owner confirms at the panel.
@ Warm Dimming Curve | A curve from bright to dim that gets warmer on the way | light | CURVE_POINTS=17::points in the curve; MIN_KELVIN=1800 kelvin::warmest end; MAX_KELVIN=6500 kelvin::coldest end
M LED lamps turn grey when dimmed, and people missed the glow of a filament.
S The curve has CURVE_POINTS points, evenly spaced in perceived brightness. Between them lamps interpolate in mireds and not in kelvin.
R Interpolating in kelvin gives a visible jump near the warm end. Mireds follow the eye far better, at no cost beyond one division.
@ Flicker Disclosure | Lamps must state how much they flicker | light | FLICKER_LIMIT=8 percent::modulation allowed at 100 hertz; TEST_TIME=12 seconds::length of the measurement
M Some people get a headache from lamps that others find perfect, and the boxes say nothing.
S The lamp carries its depth of modulation at four levels of brightness. Hubs refuse to put a lamp above FLICKER_LIMIT into a room that is marked as a study or a nursery.
@ Group Fade Synchronisation | Start a fade on many lamps at the same instant | light | FADE_SKEW=30 milliseconds::largest difference between lamps; MAX_GROUP=100::lamps in one group
M A long corridor that fades lamp by lamp looks like a fault.
S The hub sends the start time of the fade ahead of time. Each lamp starts when its own clock reaches that instant. A lamp that gets the message late MUST jump to the level that it would have reached by then, so that all lamps arrive together.
R Sending a start signal instead of a start time was measured on a mesh with four hops. The last lamp began 410 milliseconds after the first.
@ Night Path Lighting | Low light along the way to the bathroom | light | PATH_LEVEL=4 percent::level of the path; PATH_HOLD=90 seconds::time until it goes out
M Full light at three in the morning wakes everybody and blinds the one who needed it.
S A motion sensor between eleven and five lights the lamps along the path, one ahead of the walker and one behind. Nothing above the height of a knee is lit.
@ Colour Gamut Report | Lamps say which colours they can make | light | GAMUT_CORNERS=6::corners at most
M A scene with a deep cyan came out as pale green on half of the lamps, and nobody knew beforehand.
S Corners are given as chromaticities with four digits. A hub that finds a colour outside moves it along the line to white until it fits, so that the hue is kept.
@ Emergency Luminaire Test | Monthly self test for escape lights | light | TEST_MONTHLY=60 seconds::short test; TEST_YEARLY=180 minutes::full discharge test
M The law asks for a log book of tests, and the log books are mostly fiction.
S Tests never run on all lights of a floor in one night. The result names the minutes reached, and a light that fails stays in the list until a person has confirmed the repair.
@ Daylight Harvest Loop | Dim lamps by the light that comes in | light | LOOP_PERIOD=5 seconds::period of the loop; DEAD_BAND=40 lux::band without action
M Offices burn full light at noon in June because a switch has no idea of the sky.
S The sensor looks at the desk and not at the window. The loop acts on the mean of ten readings, moves by at most two percent, and leaves lamps alone that somebody has touched within the hour.
@ Strobe Limits | Keep flashing scenes out of the dangerous range | light | STROBE_MIN=3 hertz::lower end of the forbidden band; STROBE_MAX=55 hertz::upper end
M A party scene that was shared in an online gallery flashed at 15 hertz, which is close to the worst rate for people with photosensitive epilepsy.
S No lamp may change its level with a depth above 20 percent at a rate between STROBE_MIN and STROBE_MAX. The rule binds the lamp and not the hub, so that a careless scene cannot get around it.
@ Lamp Burn-in Hours | Count the hours of every light source | light | HOUR_TICK=6 minutes::resolution of the counter
M Warranty talks go better with a number.
S The counter lives in the driver and moves with it. Hours at reduced level are weighted by the square of the current.
@ Wall Switch Latency Budget | How long a lamp may take to react to a switch | light | SWITCH_BUDGET=200 milliseconds::time from press to light; RADIO_SHARE=80 milliseconds::part of it for the radio
M Above a quarter of a second people press again, and the light goes on and off.
S Each part of the way has a share: the switch, the radio, the hub, the driver. A hub that cannot keep its share MUST let the switch talk to the lamp directly.
@ Addressable Strip Segments | Name the parts of a light strip | light | MAX_SEGMENTS=48::segments of a strip; SEGMENT_MIN=3::pixels at least
M Strips were one lamp with three hundred colours and no way to speak of the left end.
S Segments are numbered from the feed. A cut strip loses its last segments and keeps the numbers of the others. A scene that names a missing segment is applied to the nearest one.
@ Setpoint Arbitration | Who wins when several parties set the temperature | climate | ARBITER_HOLD=2 hours::time for which a manual change wins; MAX_WRITERS=5::parties that may write
M A schedule, a thermostat on the wall, an app and a utility all wrote the same value, and the house oscillated.
S Writers have a rank: safety, person at the wall, person in the app, schedule, utility. A higher rank wins for ARBITER_HOLD, after which the next lower writer is asked again. Safety has no time limit.
R The last writer wins in most products. That was rejected, because the utility writes every five minutes and so always came last.
@ Frost Guard | A floor below which heating cannot be switched off | climate | FROST_FLOOR=6 degrees::lowest room temperature; FROST_HYSTERESIS=1.5 degrees::width of the band; PIPE_ALARM=3 degrees::temperature of the alarm
M Holiday homes freeze when a schedule ends on the last day of the stay and the pipes burst in February.
S Whatever the setpoint is, a controller MUST open the valve when the room is below FROST_FLOOR, and keep it open until FROST_HYSTERESIS above it. Below PIPE_ALARM it also sends an alarm to every owner.
X Frost Guard cannot be disabled by message. Only a person who holds the button on the device for ten seconds can do so, since an attacker who turns off the heating of a hundred empty houses can do damage worth millions.
@ Open Window Pause | Pause heating while a window is open | climate | DROP_RATE=0.8 degrees per minute::drop that gives an open window away; PAUSE_MAX=40 minutes::longest pause
M Radiators under an open window do their best to heat the street.
S The valve closes when the air cools faster than DROP_RATE for two minutes. It opens again when the temperature has risen by itself or PAUSE_MAX is over, whichever is first.
@ Heat Pump Defrost Notice | Announce a defrost before the room gets cold | climate | DEFROST_NOTICE=3 minutes::lead time; DEFROST_MAX=12 minutes::longest defrost
M Owners called the installer whenever the outdoor unit hissed and steamed.
S The unit announces the start, the reason and the expected length. Controllers raise the flow by two degrees beforehand where the store is warm enough, so that rooms notice nothing.
@ Underfloor Inertia Model | Describe how slowly a floor answers | climate | INERTIA_MAX=14 hours::largest time constant
M Controllers tuned for radiators overshoot on a concrete floor by three degrees.
S The model has two numbers, a delay and a time constant, which are fitted on the first cold night. A floor with an unknown covering starts with the values for tiles.
@ Humidity Ceiling | Ventilate before mould grows | climate | RH_CEILING=68 percent::humidity that starts ventilation; RH_HOLD=25 minutes::time above the ceiling
M Bathrooms without a window are where mould begins, usually behind the washing machine.
S Ventilation starts when the ceiling was exceeded for RH_HOLD and the air outside is drier in absolute terms. Otherwise it waits, and the app says why.
@ Zonal Valve Exercise | Move valves in summer so that they do not stick | climate | EXERCISE_EVERY=10 days::spacing of the exercise; EXERCISE_STROKE=100 percent::length of the stroke
M Every October installers free the same stuck pins with pliers.
S The exercise runs at noon, zone by zone, and is skipped where heating was used in the same week. A valve whose motor draws too little current is reported as loose.
@ Boiler Cascade Order | Share the load among several boilers | climate | CASCADE_MAX=8::boilers in one cascade; ROTATE_EVERY=168 hours::time until the lead changes
M One boiler did all the work and died, while its twin was like new.
S The lead changes by hours of operation and not by the calendar. A boiler joins when the others have run at nine tenths for ten minutes and leaves when they could do without it for twenty.
@ Comfort Vote | Rooms with many people and one thermostat | climate | VOTE_WINDOW=30 minutes::window of a vote; VOTE_STEP=0.5 degrees::change that a vote can cause
M Open-plan offices quarrel about one dial.
S Everybody in the room may vote warmer, colder or fine. The mean moves the setpoint by at most VOTE_STEP in each window, and votes of people who have left are dropped.
@ Legionella Flush Cycle | Heat hot water stores often enough | climate | FLUSH_TEMP=61 degrees::temperature of the flush; FLUSH_EVERY=7 days::spacing of flushes; FLUSH_HOLD=20 minutes::time at temperature
M Stores that are kept at 45 degrees to save energy are a fine place for bacteria.
S At least once in FLUSH_EVERY the whole store MUST reach FLUSH_TEMP for FLUSH_HOLD. A flush that failed is repeated on the next night. After two failures the controller warns against showering and names the store.
@ Fan Coil Noise Cap | Cap the fan speed at night | climate | NIGHT_CAP=35 percent::highest speed at night
M Guests in hotels switch off the unit because of its noise and then sweat.
S From ten in the evening to seven the fan keeps below NIGHT_CAP. If the room drifts by three degrees the guest is asked whether noise or warmth is preferred.
@ Ventilation Filter Hours | Count the load of a filter instead of days | climate | FILTER_LOAD=2200 hours::load after which a filter is due
M A filter by a busy road is full in two months and one by a lake in a year.
S Hours are weighted by fan speed and by the dust that the outdoor sensor sees. The reminder is sent once, with the size that is printed on the frame.
@ Frame Format Two | A new frame with room for longer addresses | radio | FRAME_MAX=240 bytes::largest frame; HEADER_SIZE=18 bytes::size of the header; TAG_BITS=64::length of the authentication tag
M The first frame format spent a quarter of its bytes on fields that nobody ever used.
S A frame starts with a version nibble, which is 2. Addresses are 48 bits. The tag covers the header as well as the body. A receiver MUST drop a frame whose version it does not know without answering.
R A variable length address was the other candidate. It saves four bytes on average and cost three of the five prototype stacks a buffer overrun.
B Format one remains legal for devices that were certified before. Bridges translate in both directions, except for frames longer than 96 bytes, which cannot be carried by the old format.
@ Slotted Beacons | Beacons in fixed slots instead of at random | radio | SLOT_COUNT=32::slots in a round; SLOT_LENGTH=15 milliseconds::length of a slot
M In a tower block two hundred hubs shout at random and mostly over each other.
S A hub picks the slot with the least energy and listens for two rounds before it takes it. When two hubs collide the younger one moves.
@ Channel Hop Table | A hop sequence that leaves room for wireless networks | radio | HOP_CHANNELS=11::channels in the table; DWELL_TIME=400 milliseconds::time on one channel
M The neighbour's video stream makes a fixed channel useless every evening.
S The order is derived from the identifier of the home, so that neighbours differ. Channels under a busy wireless network are replaced for an hour by the next quiet one.
@ Mesh Depth Limit | Cap the number of hops | radio | MAX_HOPS=7::hops that a frame may take; HOP_DECAY=1::subtracted by each relay
M Frames that travelled a long way arrived after the person had left the room.
S A frame carries a hop count that starts at MAX_HOPS and is lowered by every relay. At zero it is dropped. A relay MAY refuse to forward frames whose remaining budget would not reach the target according to its table.
R Fifteen hops were proposed first. In the trial in a 90 metre long farm house no useful frame needed more than six, and each hop beyond that added 35 milliseconds.
@ Duty Cycle Accounting | Devices account for their own air time | radio | DUTY_LIMIT=1 percent::share of an hour on the air; WINDOW_LENGTH=60 minutes::accounting window
M The law limits air time, and no one counted.
S Each transmission is charged with its length and a fixed eight milliseconds. A device that has used up its share keeps alarms only.
@ Relay Election | Choose relays by their power source | radio | RELAY_RATIO=5::devices for each relay; ELECTION_PERIOD=12 hours::time between elections
M Battery sensors ended up as relays and died within a month.
S Candidates must be powered from the mains and must have been up for a day. The one that hears most of the others wins; ties go to the older device.
@ Acknowledgement Aggregation | One frame that acknowledges many | radio | ACK_MAX=24::frames acknowledged at once; ACK_DELAY=60 milliseconds::longest wait
M Half of the frames in a busy house say nothing but "received".
S A relay collects the counters of frames it has received and sends them in one bitmap. A sender that has waited twice ACK_DELAY repeats its frame as before.
@ Interference Map | A shared map of where the radio is bad | radio | MAP_CELLS=256::cells of the map; MAP_AGE=14 days::age at which a cell is forgotten
M Installers carry the knowledge of dead corners in their heads.
S Cells are a square of the floor plan and a quarter of the day. Every device adds what it hears, and the installer sees the map as colours on the plan.
@ Sub-Gigahertz Annex | Use of the lower band for gardens and barns | radio | ANNEX_RATE=50 kilobits::raw rate; ANNEX_RANGE=600 metres::range in open land
M The common band does not get through a stone barn.
S The annex uses the frame of format two at a fifth of the speed. A gate or a barn talks to a single bridge, and the bridge answers for it while it sleeps.
@ Clock Drift Bounds | How wrong a clock may be between two beacons | radio | DRIFT_LIMIT=40 ppm::drift allowed; RESYNC_AFTER=30 minutes::time until a device asks again
M Slots only help if everybody agrees when they begin.
S A crystal that is off by more than DRIFT_LIMIT at room temperature fails certification. Outdoors twice that is allowed, and the guard time of the slot grows with it.
@ Mesh Partition Healing | Join two halves of a mesh after a split | radio | HEAL_WAIT=20 seconds::pause before joining; HEAL_MERGE_MAX=128::devices merged at once
M After a power cut two halves of a house came up apart and stayed so.
S When two parts hear each other the smaller one yields. It keeps its addresses for HEAL_WAIT while devices are told one after the other, the sleepy ones last.
@ Priority Lanes | Alarms overtake telemetry | radio | LANES=4::lanes; ALARM_SHARE=30 percent::air time kept for alarms
M A smoke alarm waited behind the weekly statistics of a washing machine.
S The lanes are alarm, control, report and bulk. A sender empties a higher lane first, except that bulk gets one frame in twenty so that it does not starve.
@ Service Names | Names that describe what a device does | discovery | NAME_MAX=63 bytes::longest name; LABELS_MAX=5::labels in a name
M Model numbers say nothing to a person who looks for the hall light.
S A name reads from the small to the large, as in reading.lamp.study. Labels are letters and digits of any script. The last label is the room, and a home has no label of its own.
@ Local Directory | A directory of devices that works without a hub | discovery | DIRECTORY_TTL=75 minutes::life of an entry; DIRECTORY_MAX=1000::entries
M When the hub is down the devices are there and nobody can find them.
S Each mains powered device keeps a copy of the directory. Entries are refreshed by gossip and vanish after DIRECTORY_TTL. A conflict is decided in favour of the entry with the higher sequence number, and if both are equal, of the longer signature.
R A single elected keeper was simpler. It was given up because a keeper that fails takes the directory with it at exactly the moment at which it is needed.
@ Room Tags | Tags for rooms that survive a move | discovery | TAG_LENGTH=24 bytes::length of a tag; TAGS_PER_DEVICE=4::tags on a device
M People rename the nursery when the child turns ten, and every rule breaks.
S A tag is random and never shown. The name that people see is an attribute of it and may change at will. Rules refer to tags only.
@ Vendor Prefix Registry | Who owns which prefix | discovery | PREFIX_BITS=20::bits of a prefix; PREFIX_FEE=0 euros::fee
M Two vendors shipped with the same prefix in one year.
S Prefixes are given out in order of request, one to a company, and a second one after half of the first is used. A company that dissolves leaves its prefix unused for ever.
@ Capability Documents | A machine readable list of what a device can do | discovery | DOC_MAX=8192 bytes::largest document; DOC_DEPTH=6::nesting
M Hubs guess the capabilities from the model number and guess wrong.
S The document is a tree of endpoints, each with the clusters it serves. Unknown branches are kept. A hub that has read it asks again only when the digest in the beacon changes.
@ Neighbour Hints | Nearby hubs share what they see | discovery | HINT_RATE=2::hints in a minute
M A device at the edge of a plot is often heard better by the neighbour.
S A hint says that an unknown device was heard, how loud and for how long, and nothing about its content. Homes may refuse hints from outside altogether.
@ Alias Redirects | Old names lead to new ones | discovery | ALIAS_LIFE=400 days::life of an alias; ALIAS_CHAIN=3::redirects that are followed
M A lamp that was called "desk" for years is in three scenes, a voice list and the habits of a family.
S An alias is created by every rename and answers with the new name. After ALIAS_CHAIN redirects a query fails, which stops circles. Voice lists follow aliases without limit.
@ Manifest Signing | Sign the capability documents | discovery | SIG_BYTES=64::length of the signature; KEY_ROLL=730 days::life of a signing key
M A forged capability document turned a plug into a lock in a demonstration at a conference.
S The signature covers the canonical form, with sorted keys and no blanks. A vendor key may sign a key for one product line, and no deeper chain is allowed.
@ Floor Plan Exchange | A plain format for floor plans | discovery | PLAN_MAX=512 kilobytes::size of a plan; PLAN_UNIT=5 millimetres::grid
M Each app asks for a drawing of the house, and each forgets it.
S A plan is a list of rooms, each a polygon on a grid, with doors as gaps in the walls. Furniture is left out. Storeys are numbered from the street.
@ Orphan Sweep | Remove devices that will never come back | discovery | ORPHAN_AGE=120 days::silence after which a device is an orphan; SWEEP_HOUR=4::hour of the sweep
M Long lists of grey devices hide the one that has a fault.
S A device that was silent for ORPHAN_AGE is put on the orphan list. The hub asks the owner once; without an answer within 14 days the keys are erased. Devices in quiet mode and devices marked as seasonal are never swept.
@ Meter Reading Profile | Readings of energy, water and gas meters | energy | READING_PERIOD=15 minutes::period of readings; REGISTER_MAX=24::registers
M Meters speak twelve dialects in Europe alone.
S A register is a number, a unit, a direction and a time. Meters that were replaced end their registers with a final value, and the new ones begin with a note of the change.
@ Tariff Tables | Prices by the hour | energy | TARIFF_SLOTS=96::slots in a day; TARIFF_AHEAD=36 hours::how far ahead prices are known
M Prices change every quarter of an hour and washing machines do not notice.
S A table has TARIFF_SLOTS prices in tenths of a cent. A negative price is legal. Devices MUST NOT assume that a day has a fixed number of slots, because the two days on which clocks change have 92 and 100.
R Sending only the cheapest hours was proposed by a utility. It was turned down since it hides the size of the difference, which is what a person wants to know.
@ Peak Shaving Requests | Ask devices to draw less for a while | energy | SHAVE_MAX=45 minutes::longest request; SHAVE_DAILY=3::requests in a day; OPT_OUT=1 press::what it takes to refuse
M The transformer in the street was laid for cookers and not for cars.
S A request names a share of the usual load and a duration of at most SHAVE_MAX. A person can refuse with a single press and need not give a reason. Medical devices, fridges and anything with the life profile MUST ignore requests.
X A forged request at dinner time could switch off a district. Requests are signed by the grid operator, carry a counter, and are spread by each hub over a random delay of up to 90 seconds so that the load does not fall in one step.
@ Feed-in Ledger | Count what goes back into the grid | energy | LEDGER_STEP=0.01 kilowatt hours::resolution; LEDGER_YEARS=10::years kept
M Owners of panels cannot check the bill of their utility.
S Every quarter of an hour is one line with what was made, used and sent out. Lines are closed at midnight, and a later correction is a line of its own.
@ Car Charger Coordination | Several cars behind one fuse | energy | FUSE_MARGIN=10 percent::kept free; RAMP_STEP=2 amperes::step of a change
M Two cars at 16 amperes and an oven trip the main fuse.
S Chargers share a budget that is the fuse less FUSE_MARGIN and less the house. The car that leaves first is served first. If the hub is lost each falls back to six amperes.
@ Standby Hunting | Find devices that waste power at night | energy | STANDBY_FLOOR=0.5 watts::below this a device is not listed; HUNT_NIGHTS=5::nights observed
M A household has about forty sleeping devices that draw eighty watts together.
S The hub looks at the hours between two and four and subtracts one device after the other. The list names the yearly price and not the watts.
@ Appliance Start Offers | Appliances offer when they could start | energy | OFFER_MAX=10::offers open; LATEST_FINISH=18 hours::latest end
M A dishwasher does not care whether it runs at two or at four.
S An appliance states its length, its energy and the latest moment at which it must have ended. The hub answers with a start. Opening the door of the machine withdraws the offer.
@ Virtual Power Plant Enrolment | Join a pool of home batteries | energy | POOL_MIN=200::homes in a pool; RESERVE_SHARE=25 percent::charge kept for the home
M Ten thousand home batteries are a power plant that nobody runs.
S A home sets the share it gives and the hours in which it gives nothing. The pool asks for power in steps of a minute and pays by the step. Leaving takes effect at midnight.
@ Leak Cost Estimate | Put a price on a dripping tap | energy | DRIP_MIN=0.2 litres per hour::smallest drip
M "You have a leak" is ignored, "it costs 11 euros a month" is not.
S The flow at night that never reaches zero for a week is a leak. It is multiplied by the tariff and shown by the month, with a guess at the kind of tap.
@ Carbon Intensity Feed | Grams of carbon for each kilowatt hour | energy | FEED_PERIOD=30 minutes::period; FEED_ZONES=62::zones
M Some people would rather wait for wind than for a low price.
S The feed gives the mean and the margin, since the cleverest use is to run when the margin is clean. Values for the next day carry a mark as forecasts.
@ Three Phase Balance | Spread loads over the phases | energy | IMBALANCE_MAX=20 amperes::largest difference
M Electricians put everything on the phase that is nearest to the door.
S The report names the phase of each load as far as it was learned from switching edges. Nothing is switched over; the list is meant for the electrician.
@ Sensor Unit Registry | One list of units | sensor | UNIT_CODES=400::codes in the list
M A reading of 21 was Celsius for one hub and a percentage for the next.
S A unit is a code and a power of ten. Derived units are spelled out and never guessed from the name of a product. Two codes for the same unit are an error in the registry.
@ Presence Confidence | Presence as a likelihood and not as yes or no | sensor | CONFIDENCE_BITS=7::bits of the value; DECAY_HALF=8 minutes::half-life of a sighting
M Lights go off on people who read, since a reader does not move.
S A sensor reports a confidence from 0 to 100 and a reason. Between reports the hub lets the value decay with a half-life of DECAY_HALF. A room is empty when the value is below 15, and occupied when it is above 60; between them the last verdict stands.
R A single threshold made the lamps flutter at dusk. Two thresholds cost one more number and removed the flutter.
@ Smoke Alarm Interconnect | All alarms sound when one does | sensor | ALARM_SPREAD=2.5 seconds::time until all alarms sound; SILENCE_TIME=9 minutes::pause after the silence button
M A fire in the cellar has to wake those who sleep under the roof.
S The alarm that senses smoke sends an alarm frame in the alarm lane and repeats it every second. All others MUST sound within ALARM_SPREAD. Pressing silence on the alarm that senses smoke pauses all of them; pressing it on any other pauses only that one.
R Silencing from any alarm was convenient and was removed after the fire brigade of Graz reported a case in which a child upstairs silenced the house while the kitchen burned.
@ Water Leak Severity | Three degrees of wet | sensor | LEAK_DEGREES=3::degrees; VALVE_TIME=6 seconds::time in which the valve must close
M A damp spot and a burst hose got the same message.
S The degrees are damp, wet and flowing. Only flowing closes the main valve without asking. A valve that has closed stays so until it is opened by hand.
@ Air Quality Index Mapping | Map raw gas readings to a common scale | sensor | AQ_STEPS=6::steps of the scale; AQ_WARMUP=48 hours::warm-up of a new sensor
M Cheap gas sensors report anything in their first two days.
S Gases are mapped by tables with linear parts. The worst gas decides, not the mean. Until its warm-up is over a sensor is drawn in grey and takes no part.
@ Sensor Calibration Records | Keep the calibration with the sensor | sensor | CAL_POINTS=8::points; CAL_LIFE=24 months::life of a calibration
M A sensor that was calibrated once in the factory drifts, and nobody knows by how much.
S A record holds pairs of true and raw values, the name of the reference and the temperature. Hubs interpolate and do not go beyond the outer points.
@ Door Contact Debounce | When a door counts as open | sensor | CONTACT_DEBOUNCE=120 milliseconds::debounce
M Draughts rattle doors, and the alarm company sends an invoice for each visit.
S A change counts when it has lasted for CONTACT_DEBOUNCE. Shorter ones are counted and reported once a day, because a rattling door is worth knowing.
@ Soil Moisture Profile | A profile for gardens and pots | sensor | SOIL_DEPTHS=4::depths; SOIL_PERIOD=3 hours::period
M Gardens are watered in the rain.
S Depths are given in centimetres from the surface. A probe that reads exactly zero or full for a week is taken for broken. Frost is reported as such and not as dryness.
@ Vibration Fingerprints | Recognise machines by their shaking | sensor | PRINT_BANDS=20::bands of the print; PRINT_LEARN=9::runs needed to learn
M A washing machine that walks has a worn bearing for weeks before it fails.
S The print is taken in the same part of each cycle. When the distance to the learned print doubles, the owner gets a note with the band in which it happened.
@ Occupancy Privacy Modes | Blur the reports of motion sensors | sensor | BLUR_WINDOW=10 minutes::window of the blur; ROOMS_MERGED=3::rooms merged at least
M A year of motion data is a diary that nobody agreed to write.
S In the blurred mode a report says that somebody was in one of ROOMS_MERGED rooms within BLUR_WINDOW. In the off mode the sensor is silent and shows a green light.
@ Sound Level Reporting | Loudness without recordings | sensor | SOUND_PERIOD=60 seconds::period; SOUND_BANDS=3::bands
M Landlords want to know about parties and must not hear them.
S The device reports the loudest and the mean second. No audio leaves the chip, and the bands are so wide that speech cannot be rebuilt from them.
@ Fall Detection Handshake | Ask before calling for help | sensor | ASK_TIME=35 seconds::time to answer; ASK_REPEAT=2::questions
M False alarms made relatives switch off the system that should have saved their mother.
S The device asks aloud whether all is well, and asks again after ASK_TIME. A clear answer, a press or a walk of five steps ends it; silence calls the chain.
@ Wake Word Disclosure | Devices say what they listen for | voice | WORDS_MAX=6::wake words
M Speakers react to words from the television.
S A list of the words and of the hours in which they are active can be read by every resident. A word that sounds like a common name must be refused by the hub.
@ Utterance Routing | Which of several microphones answers | voice | ROUTE_WINDOW=250 milliseconds::window; ROUTE_GAIN=3 decibels::advantage of the last one used
M Ask for the time in a hall with three speakers and three voices answer.
S Every microphone that heard the wake word sends its level within ROUTE_WINDOW. The loudest one answers. The one that answered last gets a bonus of ROUTE_GAIN, so that a conversation does not wander from room to room.
@ Spoken Confirmation Levels | How sure a device must be before it acts | voice | CONFIRM_LEVELS=4::levels; CODE_WORDS=2::words of the spoken code
M "Open the door" came from a parrot in at least one documented case.
S Level one acts at once, level two repeats what it understood, level three asks for a yes, and level four asks for a spoken code of CODE_WORDS words. Unlocking is always level four. Turning off a lamp is level one.
@ Intercom Sessions | Talk from room to room | voice | SESSION_MAX=10 minutes::longest session; JITTER_BUFFER=80 milliseconds::buffer
M Shouting up the stairs still has the lowest delay of all systems.
S A session is opened with a chime at the other side and can be refused by doing nothing. Rooms in which somebody sleeps answer that they are busy.
@ Whisper Mode | Answer quietly when asked quietly | voice | WHISPER_LEVEL=38 decibels::level that counts as a whisper
M A loud answer at midnight wakes the baby that had just gone to sleep.
S The level of the question decides about the level of the answer. Alarms and names are never whispered. The mode lasts for one exchange.
@ Local Grammar Packs | Recognise common phrases without a network | voice | PACK_MAX=3 megabytes::size of a pack; PHRASES_MAX=700::phrases
M A lamp should not need a data centre.
S A pack is a list of phrases with slots for names of rooms and devices. The device tries the pack first and asks another service only with the consent of an owner.
@ Doorbell Chime Routing | Ring where people are | voice | CHIME_ZONES=8::zones; CHIME_QUIET=22 hours::begin of the quiet time
M The bell rings in the hall and everybody is in the garden.
S The bell asks for presence and rings in the zones in which somebody is. If nobody is found it rings everywhere. Visitors hear a tone at the door as soon as one zone has rung.
@ Media Follow Me | Music moves with the listener | voice | FOLLOW_FADE=1200 milliseconds::length of the fade
M The song ends where the kitchen begins.
S The next room starts in silence and fades in while the old one fades out. With two listeners in two rooms both keep playing, and the queue stays common.
@ Announcement Ducking | Lower the music for a message | voice | DUCK_DEPTH=18 decibels::depth; DUCK_ATTACK=150 milliseconds::attack
M Messages drown in music, and louder messages frighten people.
S Music drops by DUCK_DEPTH before the first syllable and returns slowly. A second message within five seconds is joined to the first.
@ Microphone Kill Switch Signal | A kill switch that other devices can trust | voice | KILL_LATENCY=50 milliseconds::time until the microphone is dead
M A red light painted by software proves nothing.
S The switch cuts the supply and grounds a pin that other devices can read over the bus. A device that claims to listen while the pin is low is reported as faulty.
@ Pairing Over Light | Hand over a key with a blinking lamp | pairing | BLINK_RATE=24 hertz::blink rate; KEY_BITS=128::length of the key
M Printed codes get lost with the box.
S The phone shows a code as flicker, or a lamp does, and the new device reads it with its light sensor. Sunlight makes it fail, in which case the printed code is used.
@ Setup Codes | The code on the sticker | pairing | SETUP_DIGITS=11::digits; SETUP_TRIES=8::tries before the code is dead
M A code of four digits can be guessed through the front window by a patient drone.
S The code has SETUP_DIGITS digits, of which the last is a check digit. After SETUP_TRIES wrong tries the code is dead until the device is reset with its button.
@ Key Rotation | Change the network key without leaving anybody behind | pairing | ROTATE_DAYS=90 days::life of a network key; OVERLAP_TIME=72 hours::time for which the old key is accepted
M A key that was shared with a lodger years ago still opens everything.
S The hub announces the new key under the old one. Both are valid for OVERLAP_TIME, during which sleeping devices fetch the new key at their next check-in. A device that missed the window has to be paired again.
R An overlap of one day was the first draft. Field data showed that 4 of 100 sleeping sensors check in more rarely than that, and each would have been lost at every rotation.
B Devices certified before this proposal do not know rotation and keep the old key for ever. A hub MUST put them into a separate network segment before it rotates for the first time.
@ Ownership Transfer | Sell a house with its devices | pairing | TRANSFER_WINDOW=7 days::time to accept; TRANSFER_WIPE=1::wipe of the history
M The previous owner could still see the camera after the sale.
S The seller starts, the buyer accepts within TRANSFER_WINDOW, and the history is wiped before the first key is handed over. Cameras stay dark until they have been touched by the buyer.
@ Child Accounts | Limited rights for children | pairing | CHILD_AGE_MAX=16 years::oldest child; CHILD_HOURS=14::hours of a day in which it works
M Children should have their lamp and not the front door.
S A child may use what is in its own room and what is marked as common. Times are set by two adults where there are two. On the birthday after CHILD_AGE_MAX the account asks to be turned into a full one.
@ Bridge Attestation | Prove that a bridge runs known software | pairing | ATTEST_AGE=30 days::life of a proof; NONCE_BYTES=16::length of the nonce
M A bridge sees everything in plain text and is the least inspected box in the house.
S The bridge signs a nonce with the state of its boot chain. Hubs compare it with the transparency log and take the keys away from a bridge that cannot prove its software.
@ Two Person Reset | Reset only if two owners agree | pairing | RESET_WINDOW=10 minutes::time for the second owner
M Separated couples fight through thermostats.
S The first owner holds the button, the second one confirms on any device of the home within RESET_WINDOW. A home with a single owner is asked for the recovery phrase instead.
@ Temporary Installer Access | Access for a craftsman | pairing | INSTALLER_HOURS=8 hours::life of the access; INSTALLER_SCOPE=2::rooms
M The installer's account was never removed in nine of ten homes that were surveyed.
S The access is bound to a name, the rooms and the end of the working day. All that was done is listed for the owner, and a settings backup is made beforehand.
@ Quantum Safe Handshake | A hybrid handshake for long lived devices | pairing | HYBRID_BYTES=1184 bytes::size of the public part; HANDSHAKE_TIME=4 seconds::time on the slowest device
M A lock that is built today will still hang on a door when today's key exchange has fallen.
S Both an elliptic and a lattice exchange are run and the results are hashed together. A device that can do only the first is marked with a date until which it may be used.
@ Recovery Phrases for Homes | Words that bring back a lost hub | pairing | PHRASE_WORDS=15::words; WORD_LIST=2048::words in the list
M A hub that died took the keys of ninety devices with it.
S The phrase is shown once, on paper if there is a printer. It restores keys and names and no history. Every use makes a new phrase and sends a message to all owners.
@ Scene Format | A portable description of a scene | scene | SCENE_MAX=200::actions in a scene; SCENE_NAME=48 bytes::length of the name
M Scenes are locked into apps and lost with them.
S A scene is a list of targets with values, and a name in any number of languages. Values that a device cannot reach are kept as they are, so that a better device can use them.
@ Scene Undo | Take back the last scene | scene | UNDO_DEPTH=5::scenes that can be taken back; UNDO_TIME=15 minutes::time to do it
M "Good night" said to the wrong speaker darkens a party.
S Before a scene runs the hub stores the state of each device it touches. Undo restores these states in reverse order. Locks and valves are left as they are and are listed in the answer, because opening a door is not the inverse of closing it.
@ Conflict Free Automations | Rules that do not fight | scene | RULES_MAX=250::rules in a home; LOOP_LIMIT=4::rounds before a loop is cut
M One rule opens the blind because it is dark, the other closes it because it is bright.
S Before a rule is saved the hub runs it against all others and shows the pairs that write the same value. A pair must be given an order, or the rule stays off.
@ Holiday Mimicry | A home that looks lived in | scene | MIMIC_DAYS=21 days::history that is replayed; MIMIC_JITTER=18 minutes::random shift
M Lamps that go on at exactly seven every evening tell a burglar that a timer is at home.
S The days before departure are replayed in random order, weekdays for weekdays. Blinds move too. Ovens, doors and voices are left out.
@ Sunrise Tables | Sunrise without a network | scene | SUN_ERROR=2 minutes::error allowed
M Astronomical libraries are larger than the memory of a switch.
S The table has one line for each week and a slope. Latitude is rounded to a degree, which is more than a blind can tell.
@ Blind Wind Protection | Raise blinds in a storm | scene | WIND_LIMIT=48 kilometres per hour::wind that raises blinds; WIND_HOLD=15 minutes::calm needed
M Awnings cost more than all of the sensors in a house together.
S Blinds rise on a single gust above WIND_LIMIT and come down only after WIND_HOLD. A sensor that has been silent for ten minutes counts as storm.
@ Dry Run Mode | Show what a rule would do | scene | DRY_DAYS=7 days::default length of a dry run
M People are afraid of their own rules.
S The rule is evaluated as if it were on, and what it would have done is listed with the time. After DRY_DAYS the owner is asked to switch it on, change it or throw it away.
@ Natural Language Rule Export | Print rules as sentences | scene | SENTENCE_MAX=180::characters of a sentence
M A new owner finds a house full of rules that nobody can explain.
S Each rule becomes a sentence of the form when, if, then. Names are those of the rooms. A rule that needs more than SENTENCE_MAX characters is probably two rules.
@ Seasonal Profiles | Switch sets of rules by season | scene | PROFILES_MAX=6::profiles; CHANGE_HOUR=3::hour of the change
M Half of the rules make sense only in winter.
S A profile is a set of rules that are on. Changing over happens at night and is announced the evening before. The weather may postpone it by a week.
@ Scene Sharing Gallery | A public gallery of scenes | scene | GALLERY_SIZE=64 kilobytes::size of an entry; REPORTS_HIDE=3::reports that hide an entry
M Good scenes are found by one person and needed by many.
S An entry has a licence, a picture and the list of device types it needs. Reports hide it until an editor has looked. Names of rooms are replaced before uploading.
@ Pet Aware Rules | Rules that know the difference between a cat and a thief | scene | PET_HEIGHT=60 centimetres::height below which motion counts as a pet; PET_SPEED=4 metres per second::speed
M Cats set off alarms, and alarms set off neighbours.
S Motion below PET_HEIGHT and without steps is taken for an animal. Rules can ask for people only. Large dogs are the known weakness.
@ Firmware Manifests | What a firmware image is and whom it is for | firmware | MANIFEST_MAX=4096 bytes::size; DIGEST_BITS=256::length of the digest
M Images for the wrong revision bricked eleven thousand plugs in a single night.
S The manifest names the boards, the lowest boot loader and the size after unpacking. A device compares its own identity with the list before the first byte is fetched.
@ Staged Rollouts | Update a few homes first | firmware | STAGE_SHARES=1, 5, 25, 100 percent::shares of the stages; STAGE_WAIT=48 hours::pause between stages; HALT_RATE=0.4 percent::failures that stop a rollout
M A bad image that reaches everybody on the same evening cannot be taken back.
S A rollout goes through the stages 1, 5, 25 and 100 percent. Between two stages the vendor waits for STAGE_WAIT. If more than HALT_RATE of the devices of a stage fail to report back, the rollout halts by itself and only a person can resume it.
R Letting the vendor choose the first share freely was rejected after one of them chose 60 percent.
@ Rollback Slots | Keep the previous image | firmware | SLOTS=2::images kept; BOOT_TRIES=3::boots before the old image returns
M A device on a ceiling of a stairwell cannot be reached by somebody with a cable.
S Two slots hold the running and the previous image. A new image that does not confirm within BOOT_TRIES boots is marked bad and the previous one returns. A slot marked bad MUST NOT be booted again until it has been written anew.
@ Delta Updates | Send only what changed | firmware | BLOCK_SIZE=1024 bytes::size of a block; DELTA_RATIO=40 percent::above this the full image is sent
M A full image over the radio takes nine hours and a third of a battery.
S The hub computes the difference between the two images block by block. If the device reports an unknown base the whole image is sent. Memory for one block is enough.
@ Update Quiet Hours | No updates at dinner time | firmware | QUIET_BEGIN=6::hour at which updates end; QUIET_END=23::hour at which updates may begin
M The oven restarted with a cake in it.
S Devices that are in use, hot or hold a door wait beyond the hours. Security updates may come at any time, except to ovens, medical devices and locks.
@ Support Period Disclosure | How long a device gets updates | firmware | SUPPORT_MIN=5 years::shortest period; NOTICE_END=12 months::notice before the end
M Devices outlive the interest of their makers.
S The end is a date on the box and in the device. Afterwards the device tells its owner once a month, and the hub offers to put it in a separate segment.
@ Bootloader Lock State | Tell whether a bootloader is locked | firmware | LOCK_FUSES=2::fuses
M Second hand devices come with somebody else's software.
S The state is read from the fuses and signed by the boot code. Unlocked devices may join a home and are drawn with an open padlock.
@ Image Transparency Log | A public log of all images | firmware | LOG_INTERVAL=10 minutes::time between two tree heads; PROOF_MAX=1536 bytes::size of a proof
M A vendor who is forced to sign a special image for one home should not be able to do it in secret.
S Every image is entered before it is signed for sale. Devices refuse an image without a proof that it is in the log. Monitors may read the whole log and raise their hand.
@ Crash Reports Without Content | Reports that hold no data of the home | firmware | REPORT_MAX=900 bytes::size of a report; STACK_FRAMES=12::frames
M Memory dumps held the network key.
S A report has the version, the reason and the addresses of the frames. Registers are left out, since keys have been found in them. People may read a report before it goes.
@ Recall Notices | Reach the owners of dangerous devices | firmware | RECALL_LEVELS=3::levels; RECALL_REPEAT=24 hours::repeat until confirmed
M The letter about the burning chargers went to people who had moved.
S The levels are note, stop using and switch off. The last one is carried out by the hub after a warning of ten minutes. A notice needs the signatures of the vendor and of one editor.
@ Feature Flags for Devices | Switch features on and off without an image | firmware | FLAGS_MAX=64::flags on a device; FLAG_TTL=365 days::life of a flag
M Vendors ship an image to change one number.
S A flag has a name, a value and an end. Flags that have ended fall back to the built-in value. Two flags that contradict each other are both ignored.
@ Editor Duties | What editors do and do not do | meta | EDITORS_MIN=3::editors at least; TERM=24 months::length of a term
M Authors complained that their text was judged by taste.
S Editors check form, numbers and links. They do not decide whether an idea is good. An editor who is also an author leaves the document to another one.
@ Version Naming of the Protocol | How releases of the protocol are called | meta | RELEASES_YEAR=2::releases in a year
M Marketing had begun to number releases on its own.
S A release is named by year and half, such as 26b. Documents that became Final in the half year belong to it. There are no minor numbers.
@ Certification Test Catalogue | Which tests a device must pass | meta | TESTS_CORE=212::tests in the core; WAIVERS_MAX=5::waivers
M Laboratories tested different things under one logo.
S Tests are numbered like the section they cover. A waiver is public and ends with the next release. A laboratory that passes a device which fails later has to repeat its own audit.
@ Errata Process | Small corrections of Final documents | meta | ERRATA_WAIT=10 days::time for objections
M A wrong unit in a Final document was copied into four products.
S An erratum changes words and not meaning. Whoever disagrees turns it into a proposal by saying so. The text is corrected in place, with a list of changes at its end.
@ Retirement of Format One | An end date for the oldest frames | meta | SUNSET_YEAR=2029::year of the end; SUNSET_NOTICE=18 months::notice
M Bridges keep twenty thousand lines of code for a few hundred old plugs.
S From the beginning of the year SUNSET_YEAR hubs need not accept the old frames. Bridges may carry them for as long as they like, in a segment without locks and cameras.
@ Local History Store | Keep readings at home for a while | data | HISTORY_DAYS=400 days::readings kept; BUCKET=5 minutes::resolution after a week
M A question such as "was it this warm last May" should not need an account anywhere.
S Readings are kept as they come for a week and as buckets afterwards. Queries are answered by the store itself. A full store drops the oldest bucket of the chattiest device.
@ Export in Plain Text | Everything a hub knows as readable files | data | EXPORT_PART=100 megabytes::size of one part; EXPORT_WAIT=72 hours::longest time until the export is ready
M People who change the maker of their hub begin again at zero.
S Readings come as tables with a header, rules as text, and pictures as pictures. One part can be read without the others. The order of columns is fixed for ten years.
@ Deletion Receipts | Proof that data was erased | data | RECEIPT_LIFE=36 months::life of a receipt; ERASE_TIME=30 days::time until backups are erased too
M "Deleted" has meant "hidden" often enough.
S A receipt names what was erased, when, and on whose wish, and carries the signature of the store. Backups must be clean after ERASE_TIME. The receipt holds a hash of the list of keys and none of the values.
@ Sampling Tiers | Fewer readings as they get older | data | TIERS=4::tiers; TIER_RATIO=12::reduction from one tier to the next
M A hub with eight gigabytes was full after two winters.
S A tier keeps the smallest, the mean and the largest value. Counters are kept by their last value. Events are never thinned out.
@ Household Consent Records | Who agreed to what | data | CONSENT_YEARS=2 years::life of a consent; CONSENT_TEXT=600::characters at most
M Guests never agreed to anything and are measured all the same.
S A record names the person, the purpose and the words that were shown. Guests may say no at the door panel, and rooms they use are then measured only for safety.
@ Research Donation Pools | Give readings to science without giving yourself away | data | POOL_K=50::homes that must look alike; NOISE_EPS=1.2::noise parameter
M Universities pay for data that households would give for nothing.
S Values are noised at home and joined in groups in which POOL_K homes look alike. A household may leave, and the pools of the following month are made without it.
@ Query Language for Homes | A small language for questions about readings | data | QUERY_MAX=2000 bytes::length of a query; QUERY_TIME=5 seconds::time limit
M Each app has a chart and none of them answers the question.
S A query has a subject, a time and one fold, such as mean or count. There are no joins and no loops. An answer always names the number of readings it is made of.
@ Backup Rotation | Backups of a hub that can be restored | data | BACKUPS=7::backups kept; RESTORE_TEST=30 days::spacing of test restores
M The backup was there and could not be read.
S Seven backups are kept, the oldest being replaced. Every thirty days one is restored into an empty space and compared. A backup that fails the comparison is shown in red.
@ Time Zone Changes | What happens when a home moves or the law changes | data | ZONE_NOTICE=14 days::notice
M A motor home crossed a border and its heating went on an hour early.
S Schedules belong to local time and logs to universal time. A home on wheels changes its zone after a night in the new one. Changes by law arrive with the firmware.
@ Aggregates for Landlords | Sums that landlords may see | data | FLATS_MIN=6::flats in a sum
M A landlord has to bill heating and must not learn who showers at night.
S A sum is given if at least FLATS_MIN flats are in it and none makes up more than half. Monthly values are the finest. Each tenant sees what the landlord sees.
@ Notification Budget | A limit on messages to people | care | BUDGET_DAY=12::messages in a day; BUNDLE_TIME=20 minutes::time for which messages are bundled
M Whoever gets sixty messages a day reads none.
S Alarms are free. Everything else draws on a budget of BUDGET_DAY messages for each person and day, and what does not fit is bundled into one digest in the evening.
@ Escalation Chains | Who is called after whom | care | CHAIN_MAX=6::people in a chain; RING_TIME=40 seconds::time until the next person
M The daughter was on a plane and the neighbour was never asked.
S Each person is rung for RING_TIME and then texted. Whoever answers takes over and the others are told. If the chain ends without an answer it starts again with the emergency number of the care service.
@ Large Print Profile | Displays for people who see badly | care | TEXT_MIN=7 millimetres::height of text; CONTRAST=7::ratio of contrast
M Thermostats are read by people who have left their glasses elsewhere.
S A display shows at most two values at once. Colours are never the only sign. The profile travels with the person and not with the device.
@ Medication Box Events | Report an opened compartment and nothing else | care | BOX_CELLS=28::compartments; LATE_AFTER=90 minutes::time after which a dose is late
M Relatives phone three times a day to ask about a pill.
S The box reports the compartment and the minute. Nothing is said about its content. A dose that is late rings the box first and the relatives afterwards.
@ Daily Check-in | A sign of life without a camera | care | CHECK_HOUR=10::hour by which a sign is expected; SIGNS_MIN=2::signs that count
M Most people who live alone do not want to be watched, and do want to be missed.
S Signs of life are a tap, a light switch, a kettle or a door. When too few are seen by CHECK_HOUR the person is asked, and only then somebody else.
@ Hearing Loop Signals | Show the bell to those who cannot hear it | care | FLASH_COUNT=4::flashes
M A doorbell is a sound, and not everybody hears it.
S The bell flashes the lamps of the room in which the person is, with a rhythm of its own for the door, the phone and the alarm.
@ Caregiver Handover Notes | Notes that stay with the home | care | NOTE_LIFE=96 hours::life of a note; NOTE_MAX=400::characters
M The paper book by the phone is read by the wrong people and not by the right ones.
S A note is spoken or typed at the panel and shown to the next helper who signs in. Notes vanish by themselves, and the resident may read and remove all of them.
@ Irrigation Shares | Share a well among gardens | energy | SHARE_PERIOD=24 hours::period of a share; WELL_MIN=0.8 metres::level at which pumping stops
M In August the last garden on the hose gets nothing.
S Each garden has a quota by its area. What one does not use before evening is offered to the next, and the pump stops by itself when the well is low.
@ Pool Pump Windows | Run pumps when power is plenty | energy | PUMP_HOURS=6 hours::run time in a day
M A pool pump is often the largest load of a house and the least urgent one.
S The pump needs its hours in one day and does not mind when. It runs in the cheapest or sunniest windows, at least one of which lies before noon for the sake of the water.
@ Garage Door Obstruction | Stop and reverse on contact | lock | REVERSE_TIME=300 milliseconds::time until the door reverses; REVERSE_PATH=30 centimetres::path of the reversal
M Garage doors hurt more people than all other devices in this standard.
S A rise in current or a broken beam stops the door, and it reverses within REVERSE_TIME. After three reversals in a row it stays open and asks for a person.
@ Test Vectors Repository | Shared test data for implementers | meta | VECTORS_MIN=20::vectors for each Final proposal
M Three stacks agreed with the text and not with each other.
S Vectors are plain files with a name, an input and an output. A proposal without vectors cannot become Final. Wrong vectors are fixed like errata.
@ Glossary of Terms | What hub, home, owner and device mean here | meta | TERMS=74::entries
M Half of the disputes in review were about words.
S A hub is a device that keeps the keys of a home. An owner is a person who may add other persons. A resident is a person who may use devices and cannot add anybody. A ghost is a device that still has a valid key although nobody can find it.
@ Trademark Use | When a box may carry the logo | meta | LOGO_YEARS=3 years::life of a licence
M The logo was found on a toaster that contains no radio.
S The logo may be put on devices that have passed and on nothing else. A device whose support has ended may keep it. The licence is renewed with the certificate.
"""

AREAS = r"""
= battery
n cell; pack; gauge; sleeping device; charger
a Powering small devices is [mostly|chiefly|largely] a matter of spending nothing, and this text is about one place where [energy leaks away|something is spent for no benefit|charge is wasted].
a With it in place [a hub|the owner|a service technician] can plan the next battery change instead of being surprised by it.
s The {noun} keeps its own counter in memory that survives a change of the cell.
s Values are [rounded down|truncated], never up, since an optimistic reading is the more expensive error.
s If the regulator reports a brown-out within the last minute the device [skips|leaves out] the exchange and tries again after the next check-in.
s A device that is fed from the mains MUST answer with the code 255 and take no further part.
r [Several|Two|Most] vendors had shipped something close to this, so the values were taken from their products and [averaged|compared in a field trial].
r A coulomb counter on every board would have been exact, and would have cost more than the sensor it serves.
x The messages tell when a home is [empty|inhabited], as do all that are sent on a human schedule, and they are encrypted for that reason.
x Replayed reports are harmless, because the counter in each frame must grow.
= lock
n bolt; lock; keypad; door; strike plate
a It matters [most|above all] at the front door, where a wrong answer is either a break-in or a locked-out child.
a The text follows the rule of the lock profile that a mechanical fact beats any message.
s A {noun} MUST sign each change of state with its device key and a counter that never goes back.
s The motor current is sampled during the whole move; a rise above the learned profile ends the move.
s Commands that arrive while the bolt moves are [queued, one deep|dropped with the code BUSY].
s The inside knob works at all times and its use is [logged as manual|written to the journal as a manual event].
r Locksmiths were asked early on, and [two of five|most of them] wanted less software rather than more.
r An answer from the cloud was ruled out at once: doors are opened in cellars and during power cuts.
x Physical attacks are out of scope. An attacker with a drill [does not need this protocol|has simpler ways].
x The timing of the answers must not depend on how many digits of a code were right.
= light
n lamp; driver; switch; fixture; group
a Light is where people notice [a tenth of a second|one frame too many] and forgive nothing.
a The proposal concerns what the eye sees and leaves the electrical side to other standards.
s A {noun} that cannot follow MUST move to the nearest level it supports and report that level.
s Levels are perceived brightness on a scale of 0 to 1000 and not the duty cycle of the driver.
s During a fade the lamp reports only the beginning and the end.
s Turning the mains switch off and on [within two seconds|twice in a row] always gives full light, whatever was sent before.
r A panel of [thirty|twenty-four] people compared the variants in a dark room and preferred this one in most of the runs.
r Leaving the choice to vendors would have been polite and would have made groups of mixed lamps look broken.
x Light is visible through windows, so nothing here reveals more than [a look from the street|the street lamp opposite sees] already does.
x A flood of level changes could wear out a relay; lamps may ignore more than four changes a second.
= climate
n valve; thermostat; controller; boiler; room
a Rooms answer slowly, and so mistakes are noticed [hours|half a day] after they were made.
a What follows is written for water heating first, and applies to air [with the changes that are listed|where marked].
s A {noun} that has lost contact to its controller for an hour falls back to its own schedule.
s Temperatures are given in hundredths of a degree; a missing value is -32768.
s The loop MUST NOT switch a burner more than [six|five] times an hour.
s Readings from a sensor in direct sunlight carry a flag and are left out of the mean.
r The constants come from [a winter in eleven houses|two heating seasons] and were rounded to values that an installer can remember.
r Learning controllers find better values after a month, yet nobody wants a cold month first.
x Whoever can set temperatures can freeze pipes. Frost protection therefore stands above everything that is said here.
x A temperature history reveals holidays. It leaves the home only with the consent of an owner.
= radio
n frame; relay; channel; receiver; beacon
a Air is shared with the neighbours, and [every byte counts|each frame that is not sent is a gain for somebody].
a The change is below the application layer and no device profile needs to know of it.
s A {noun} that receives a reserved value MUST ignore the field and keep the rest.
s Timers run on the local crystal and are corrected at each beacon.
s Retransmissions use a random back-off between [5 and 40|8 and 60] milliseconds, doubled each time up to four tries.
s Implementations [should|SHOULD] keep the table in static memory; its size is bounded by the constants above.
r Simulation of a tower block with [180|240] homes showed [a third|a quarter] fewer collisions than with the present rules.
r A cleverer scheme exists in the literature. It needs a clock that costs two euros, and the bill of material has no room for it.
x Jamming cannot be prevented by a protocol. It can be noticed, and the hub reports a channel that is busy without valid frames.
x Headers are authenticated but not encrypted, because relays have to read them.
= discovery
n directory; name; document; entry; hub
a Finding a device should be [as dull|as easy] as reading a label.
a The mechanism works in a home without any connection to the outside.
s An {noun} that fails its signature check is dropped and [counted|logged once an hour].
s Names are compared after case folding and normalisation, and shown as they were typed.
s Queries for a name that nobody has are answered by silence and not by an error.
s A device caches what it learned for at most the time that the table states.
r Multicast DNS does most of this on wired networks. On the mesh its packets are four times too long.
r A central registry was drafted twice and [failed|fell] both times on the question of who pays.
x A directory is a shopping list for burglars. It is readable only with the key of the home.
x Name squatting is possible inside a home and is left to the people who live there.
= energy
n meter; load; charger; tariff; inverter
a Power has a price, a phase and a moment, and devices [know|are told] none of the three.
a The proposal speaks of requests rather than commands, for the reason that people paid for their appliances.
s A {noun} reports energy as a counter that only grows; power is the difference of two readings.
s Requests carry an end time and lapse by themselves when the hub [falls silent|is gone].
s Rounding is done once, at the end, in favour of the customer.
s When two requests overlap the one with the smaller share of load wins.
r Utilities asked for direct control. Owners in the survey refused it by [four to one|a large majority].
r Finer steps gave no measurable gain in [the simulated street|a model of sixty homes] and made every message longer.
x Fine readings show which film was watched. Anything below a quarter of an hour stays at home.
x Counters are signed by the meter, so that a hub cannot flatter the bill.
= sensor
n sensor; reading; alarm; room; contact
a A reading without its unit, its age and its doubt is [half a reading|a rumour].
a The text treats the sensor as a witness: it states what it saw and leaves the verdict to the hub.
s A {noun} that is out of range is sent with the flag SATURATED and not clipped in silence.
s Each report carries the age of the measurement in seconds, at most 65535.
s Hubs MUST keep the raw value beside the mapped one for a day.
s After a restart the sensor stays [silent until its warm-up is over|in the state UNKNOWN until it has measured twice].
r Averaging inside the sensor saves air time and hides exactly the spikes that matter.
r The editors asked [three laboratories|two makers of alarms] for their test data, which settled most of the numbers.
x A false reading can open a window. Rules that act on one sensor alone should be limited to comfort.
x Sensors in bedrooms are covered by the privacy modes as well.
= voice
n speaker; microphone; session; phrase; zone
a Sound crosses walls, which makes it [the friendliest and the rudest|both the best and the worst] interface in a home.
a Nothing in the text requires audio to leave the building.
s A {noun} MUST show a light while audio is kept, even for a second.
s Buffers are overwritten in place and are never written to flash.
s Level adjustments follow a logarithmic ramp, since linear ones are heard as a step.
s If no answer can be given within two seconds the device plays the short tone and says nothing.
r Recordings of [forty|twenty-six] households were used for tuning, with consent and for this purpose only.
r Doing it in the cloud would work today and stop on the day on which the vendor is sold.
x Recorded speech can be played back by anybody with a phone. Voice alone is never proof of identity.
x The indicator is wired to the supply of the microphone, so that software cannot fake it.
= pairing
n key; owner; hub; handshake; code
a Trust is set up once, by people in a hurry, standing on [a ladder|a chair], and must hold for years.
a The steps below are counted in button presses as well as in bytes.
s A {noun} is never shown in full after it was confirmed; screens show its last four characters.
s Failed attempts are answered after a constant time.
s Keys are derived with a label that names this proposal, so that no key serves two purposes.
s Everything that is undone by a factory reset is listed in the table of the device profile.
r Usability tests with [sixteen|twenty] people who had never paired anything decided between the two finalists.
r A phone cannot be assumed. Some owners do not have one and some phones will not outlive the house.
x The weakest moment is the first one. It is kept short, and a button has to be held while it lasts.
x An attacker who owns a paired device has all that this device has, and nothing more.
= scene
n rule; scene; action; blind; profile
a People think in moments of the day and not in devices, and [rules|scenes] are where the two meet.
a It describes the format and the order of events, and not how an app draws them.
s A {noun} that fails in the middle is completed as far as possible and reported as partial.
s Order inside a scene has no meaning, unless two actions name the same device.
s Identifiers are kept when a rule is copied, with a suffix for the copy.
s Rules are evaluated on a change and never by polling.
r The first draft had a small programming language. It was removed when [the third|the fifth] reviewer asked for loops.
r Other systems let the newest rule win. Owners in the trial could not say which rule was the newest.
x A shared scene is code from a stranger. Hubs show the list of devices it touches and ask once.
x Locks can be part of a scene only for locking.
= firmware
n image; slot; bootloader; manifest; rollout
a Software on a ceiling has to be replaced without a ladder, and [must not fail|may not fail twice].
a It covers the path of an image from the vendor to the flash and ends at the first instruction.
s An {noun} is verified before it is written and again before it is started.
s Power may fail at any byte, and the device MUST come up with one of the two versions.
s Progress is reported in steps of ten percent to spare the radio.
s The hub caches an image for as long as a device of the home still needs it.
r Copying what phones do was tempting. Phones have a screen, a charger and somebody who looks at them.
r The vendors' own numbers of failed updates, [between 0.2 and 1.1|from 0.3 up to 0.9] percent, set the limits.
x Signatures say who made an image and not whether it is any good.
x Downgrades are allowed only to an image whose security counter is not lower.
= data
n reading; store; export; record; pool
a Data about a home belongs to those who live in it, and the protocol has to [make that true|say so in code].
a Nothing here forbids services in the cloud; it makes them optional.
s A {noun} is addressed by device, time and unit, and by nothing else.
s Times are stored in universal time together with the offset that held at that moment.
s Erasing is done by discarding the key of the day first and the data afterwards.
s Large answers are cut into parts, each of which can be fetched again.
r A database engine was not prescribed, because the hubs of 2019 have 64 megabytes of memory.
r Lawyers from [two|three] countries read the draft and made it [shorter|longer by a page].
x Old readings are as revealing as new ones. Access to them is logged and the log is shown to all residents.
x Pseudonyms help little when a home is the only one with a heated pond.
= care
n message; person; chain; display; note
a The people who need it most are [the least able|those least likely] to configure it.
a It was written together with two care services and one association of relatives.
s A {noun} that nobody confirmed is passed on and not repeated to the same ear.
s All texts MUST be available in the language of the person and not of the hub.
s Quiet hours never hold back an alarm.
s Confirmations are single presses on a large target, without a second dialog.
r Cameras were excluded on the first day, at the wish of everybody over seventy in the room.
r Shorter times gave more false calls, longer ones left people on the floor. The values are the middle.
x Helpers change jobs. Their access ends by itself and has to be renewed.
x Health data is kept apart and is never part of an export that somebody else asked for.
= meta
n editor; document; author; release; laboratory
a This is about [the work of the group|how we work] and not about bytes on the air.
a It binds the editors and is advice to everybody else.
s An {noun} may object in public and has to give a reason that others can check.
s Dates are counted from midnight, universal time.
s The list is kept in the repository of the proposals and changes with a pull request.
s Exceptions need the consent of two editors and are noted in the document itself.
r We looked at the customs of four other bodies and took the shortest.
r Rules that nobody follows were removed first; little was left.
x None beyond those of any process: a careless merge can do as much harm as a careless line of code.
x Accounts of editors need a second factor.
"""

ENHANCEMENTS = r"""
@ storage | Hold Snapshots | HoldSnapshot | Take a point-in-time copy of a hold while its cargo keeps running.
M Shops run their tills on a single berth, and a botched migration has cost more than one of them a day of sales.
G Create, list and restore snapshots with `skiffctl hold snapshot`|Keep the pause of writes below 250 milliseconds
N Copying snapshots to another site
P The berth freezes writes with a barrier, asks the driver for a copy-on-write clone and lifts the barrier. A driver that cannot clone within 250 milliseconds makes the snapshot fail with `SnapshotBarrierTimeout`, and nothing is left behind.
K A full disk is the usual end of copy-on-write. Snapshots are refused when less than 15 percent of the pool is free.
A Stopping the cargo for the copy was rejected: the median stop took 41 seconds on the reference box.
@ storage | Hold Expansion Without Restart | ExpandHoldOnline | Grow a hold while it is mounted.
M Growing a hold means a restart today, which means that it is done at night by a tired person.
G Grow ext4 and xfs holds online|Show the progress as a condition of the hold
N Shrinking a hold
P The controller raises `spec.size`, the driver grows the device, and skiffd grows the file system. Shrinking is rejected by validation with the message `size may not decrease`.
A A sidecar that grows the file system was tried; it needed more privileges than skiffd itself.
@ storage | Ephemeral Scratch Holds | ScratchHold | Disk space that lives as long as the cargo.
M Image resizing jobs fill the root disk of the berth and take the agent down with them.
G Give each cargo a bounded scratch area|Evict the cargo that writes too much and not its neighbours
N Sharing scratch between cargoes
P A scratch hold is a project quota on the berth's own disk. The quota is checked by the kernel and the usage is sampled every 20 seconds.
@ storage | Storage Capacity Tracking | HoldCapacity | Let the scheduler know how much room a pool has.
M Cargo was placed where it could never start, since nobody told the scheduler that the pool was full.
G Publish free capacity per pool and topology|Retry placement when capacity changes
N Reserving capacity ahead of time
P Each driver publishes one capacity object for every pool and topology segment. The scheduler subtracts what it has promised but not yet seen. Stale objects are ignored after ten minutes.
@ storage | Read Only Many Holds | ReadOnlyMany | Mount one hold read-only on many berths.
M Signage screens show the same four gigabytes of video in every aisle, and each of them pulls its own copy.
G Attach a hold to up to 32 berths|Refuse a writer while readers are attached
N Caching over slow links
P The access mode `ReadOnlyMany` is honoured by the attach controller, which counts readers. A writer has to wait until the last of them is gone, and a label shows who is holding it up.
@ storage | Checksummed Hold Scrubbing | HoldScrub | Read every block once a month and compare it with its checksum.
M Cheap flash forgets, and nobody noticed until a restore.
G Scrub in the background at low priority|Report damaged ranges by file name where possible
N Repairing damaged blocks
P skiffd walks the blocks in the order of the disk and keeps its place over restarts. Damaged ranges end up in the status of the hold, with names of files where the file system tells them.
@ storage | Hold Ownership Transfer | HoldTransfer | Move a hold from one fleet to another.
M Franchise takers who change hands want to keep the data of the till.
G Offer and accept a transfer|Keep the audit trail
N Moving data between sites
P The giving fleet creates an offer with a secret, the other one an acceptance with the same secret. The controller then moves the binding and leaves the data where it is.
@ storage | Driver Health Probes | DriverProbe | Notice a storage driver that hangs.
M A hung driver looks exactly like a slow one for ten minutes.
G Mark pools of a hung driver as unhealthy|Restart the driver at most three times an hour
N Failing over to another driver
P The agent asks the driver for its identity every thirty seconds. Three missed answers mark the pools as unhealthy. New cargo is placed elsewhere, running cargo is left alone.
@ network | Dual Stack Berths | DualStack | Give cargoes an IPv4 and an IPv6 address at once.
M Payment terminals speak only the old protocol, the new cameras only the new one.
G Assign one address of each family|Pick the family of a service by `ipFamilyPolicy`
N Translating between the families
P Each berth gets a prefix of both families. A service with `ipFamilyPolicy: Prefer` gets two addresses when both exist, and one otherwise; `Require` fails admission instead.
K Routers in shops with two exits and one default route can lose the return path. The preflight check warns about it.
A Translating at the gateway was simpler, and it broke three of the seven payment terminals that were tested.
@ network | Service Topology Hints | TopologyHint | Prefer endpoints on the same site.
M Traffic between two boxes that stand on the same shelf went through the head office.
G Route within the site when at least one healthy endpoint is there|Fall back without a visible gap
N Balancing load between sites
P The proxy gets endpoints with the site they stand in, and uses those of its own site while at least one of them is healthy. Otherwise all are used with equal weight.
@ network | Egress Gateways | EgressGateway | Leave the site through a known address.
M Banks filter by source address.
G Pin the egress of a namespace to an address|Fail over within 5 seconds
N Inspecting traffic
P A gateway object pins a namespace to an address that is announced by one of two berths. The second takes the address over when the first has missed five heartbeats.
@ network | Network Policy Tiers | PolicyTier | Order policies so that the head office has the last word.
M Site managers opened ports that the head office had closed.
G Three tiers: platform, fleet, site|Explain the verdict with `skiffctl policy why`
N Rules on layer seven
P Policies are evaluated tier by tier. The first tier that allows or denies ends the evaluation; `Pass` hands over to the next tier. When nothing matches, traffic inside a namespace is allowed and all else is denied.
@ network | Link Budget Aware Sync | LinkBudget | Spend a metered link with care.
M Ferries have satellite links that cost eleven euros a gigabyte.
G Declare a monthly budget for a link|Postpone image pulls when 80 percent of it is spent
N Compressing traffic
P A link object has a budget for each month and a price. The agent counts bytes by purpose, and holds back image pulls, metrics and snapshots in this order when money gets short.
@ network | DNS Cache on the Berth | BerthDNS | Answer names without leaving the box.
M When the link is down names cannot be resolved, and cargoes that need nothing from outside fail as well.
G Serve stale answers for up to 24 hours|Flush the cache by command
N Signing answers
P The cache keeps 10000 names. While the upstream is gone it serves expired answers with a time to live of 30 seconds and sets the metric `berth_dns_stale_total`.
@ network | Port Range Services | PortRange | Expose a range of ports as one service.
M Voice servers need four hundred ports, and four hundred services are no fun.
G Accept a range of up to 1024 ports|Keep one rule per range in the packet filter
N Random ports
P A port range is stored as first and last. The packet filter takes it as one rule, and the validation refuses overlaps between services of one site.
@ network | Wireguard Mesh Between Sites | SiteMesh | An encrypted mesh among sites without a central concentrator.
M The concentrator in the head office was the single point at which everything failed in March.
G Connect up to 500 sites|Rotate keys every 30 days
N Replacing the firewall of the site
P Each site publishes its key and its endpoint in the harbourmaster and fetches those of the others. Sites behind address translation are reached through a peer that both can see.
@ scheduling | Cargo Priority Classes | CargoPriority | Say which cargo matters most.
M When a box is full the till must run and the music may stop.
G Five built-in classes|Preempt lower classes with a grace time
N Fair shares between teams
P The classes are critical, high, normal, low and spare. A cargo of a higher class may push out lower ones, cheapest first, and each victim gets its full grace time.
@ scheduling | Placement Dry Run | PlacementDryRun | Ask where a cargo would go without starting it.
M Planners want to know before the weekend whether the new release still fits.
G Return the chosen berth and the reasons against others|Leave no trace in the store
N Predicting future load
P The request is an ordinary placement with the flag `dryRun`. The answer lists berths by score, and for the rejected ones the first filter that said no.
@ scheduling | Power Aware Placement | PowerAware | Prefer berths that have power to spare.
M Boxes in cabinets behind the fridge throttle in summer.
G Use power and temperature as scores|Move nothing that runs
N Switching berths off
P Berths report their inlet temperature and the power they draw. The score plugin prefers cool ones, and a berth that throttles gets nothing new for an hour.
@ scheduling | Gang Placement | GangPlacement | Start a set of cargoes together or not at all.
M Three of four parts of a planogram job were started and waited for ever for the fourth.
G Place up to 16 members atomically|Give up after `gangTimeout`
N Gangs across sites
P Members are held in a waiting room until all of them have a berth. If `gangTimeout`, by default 120 seconds, runs out, all reservations are released and the gang goes to the back of the queue.
A Placing members greedily and killing the rest was measured: it wasted 19 percent of the placements in the trace of the pilot.
@ scheduling | Spread Constraints | SpreadConstraint | Spread replicas over racks and rooms.
M Both replicas stood on the shelf under the leaking pipe.
G Limit the skew by topology key|Soft and hard constraints
N Moving running replicas
P A constraint has a topology key, a largest skew and what to do when it cannot be met. Soft constraints turn into a score, hard ones into a filter.
@ scheduling | Maintenance Windows | MaintenanceWindow | Drain berths only when it suits the site.
M Updates were rolled out at noon on the Saturday before Christmas.
G Windows by weekday and hour in local time|Block drains outside of a window
N Windows for single cargoes
P A window has a start, a length of at least 30 minutes and a time zone. Outside of all windows the drain controller answers `WindowClosed` and names the next opening.
@ scheduling | Resource Lending | ResourceLending | Lend idle capacity to a neighbour fleet.
M Nights are quiet in shops and busy in the warehouse next door.
G Lend with a deadline|Reclaim within one minute
N Charging money
P A lender marks a share of its berths and a deadline. Borrowed cargo runs with the class spare and is evicted within sixty seconds when the owner needs the room.
@ scheduling | Deferred Descheduling | DeferredDeschedule | Move badly placed cargo when nobody is looking.
M After a repair all cargoes stay on the two boxes that survived.
G Move at most one cargo in ten minutes|Never move cargo with local holds
N Global optimisation
P The controller computes once an hour what a fresh placement would look like. If the gain is large enough it moves one cargo, inside a maintenance window, and looks again.
@ auth | Short Lived Berth Credentials | BerthToken | Replace the certificates of berths by tokens that last a day.
M Boxes get stolen, and their certificate was good for ten years.
G Tokens with a life of 24 hours|Renew at two thirds of the life
N Hardware attestation
P A berth renews its token after 16 hours. When it was offline for longer than the life of the token it has to present the enrolment key, which is bound to the serial number of the board and can be revoked.
K A fleet that was cut off for two days comes back at the same moment. The renewal is spread with a jitter of up to 20 minutes.
A Certificate revocation lists were in place before. They were 14 megabytes long and were fetched over the satellite link.
@ auth | Site Scoped Roles | SiteRole | Give a manager rights on one site.
M A site manager could restart cargo in every shop of the country.
G Bind roles to a site selector|Audit with the site in each record
N Roles by time of day
P A binding gets an optional selector for sites. The authoriser compares it with the site of the object, and objects without a site are out of reach for scoped roles.
@ auth | Admission Policies in Expressions | AdmissionExpr | Reject bad objects without a webhook.
M A webhook that is down stops every deployment, including the one that would repair it.
G Policies in a small expression language|A cost limit for each evaluation
N Mutating objects
P Expressions are compiled when the policy is stored. Each has a budget of 10000 steps; one that runs out counts as an error, and `failurePolicy` decides whether this rejects the object.
@ auth | Secret Sealing at Rest | SecretSeal | Encrypt secrets with a key that the box cannot read by itself.
M Disks of stolen boxes were read in an afternoon.
G Envelope encryption with a key from the site|Rotate without downtime
N Protecting memory
P Secrets are encrypted with a data key, which is wrapped by a key that the site keeps in its safe or its token. A box that was carried away holds only wrapped keys.
@ auth | Break Glass Access | BreakGlass | Emergency access with witnesses.
M The identity provider was down and so was the way to repair it.
G Local login with two people|Alert on every use
N Daily use
P Two holders of different halves have to log in within 15 minutes of each other. The session lasts one hour, cannot be extended, and is recorded in full.
@ auth | Audit Log Signing | AuditSign | Make tampering with the audit log visible.
M An administrator erased the record of his own mistake.
G Chain the records with hashes|Verify with `skiffctl audit verify`
N Preventing deletion
P Each record carries the hash of the one before, and a signature is added once a minute. `skiffctl audit verify` walks the chain and names the first gap.
@ auth | Workload Identity Tokens | CargoIdentity | Give each cargo an identity that other systems accept.
M Passwords for the loyalty system were copied into forty repositories.
G Issue tokens for an audience|Publish the keys for verification
N Identities for people
P The agent asks for a token for an audience and puts it into the file system of the cargo. It is renewed at four fifths of its life. Verifiers fetch the keys from a public address.
@ berth | Agent Self Update | AgentSelfUpdate | Let skiffd replace itself.
M Half of the berths run an agent that is three releases old, as each update needs a visit.
G Update in place with a fallback|Keep cargoes running meanwhile
N Updating the kernel
P The new binary is started beside the old one and takes over the socket. If it has not reported Ready within 90 seconds the old one takes the socket back and the berth gets the condition `AgentRolledBack`.
K A broken release could take every berth down at once; waves of 2, 20 and 100 percent limit this.
A Packages of the distribution were considered and rejected, because the boxes run four distributions in seven versions.
@ berth | Graceful Berth Shutdown | GracefulShutdown | Stop cargoes in order when the power button is pressed.
M Staff switch the box off at the wall, the database recovers for an hour.
G Stop by priority|Use the shutdown delay of the init system
N Surviving a pulled plug
P The agent takes a delay lock of the init system. On shutdown it stops low classes first, waits, and goes on to the critical ones with what is left of the time.
@ berth | Memory Pressure Tiers | MemoryTier | React to memory shortage in steps.
M The kernel killed the till, as it was the largest process.
G Throttle, then evict, then kill|Protect critical cargo
N Swap on flash
P The tiers follow the pressure stall information of the kernel. At ten percent the agent throttles spare cargo, at twenty-five it evicts, and at forty it kills by class.
@ berth | Swap on Compressed Memory | ZramSwap | Use compressed memory as swap.
M Boxes with two gigabytes run out by a few megabytes.
G Set a share of memory|Exclude critical cargo
N Swap files
P A share of the memory, by default a quarter, is set aside as compressed swap. Critical cargo is pinned. The ratio of compression is exported, as it decides whether this is worthwhile.
@ berth | Hardware Watchdog Integration | BerthWatchdog | Reset a berth that no longer answers.
M A frozen box waits for a person with a key.
G Feed the watchdog only while the agent is healthy|Count resets
N Remote power control
P The agent feeds the watchdog every 10 seconds, and only if it could write to its store and talk to the runtime. After three resets within an hour it stops feeding cargoes and starts in safe mode.
@ berth | Device Claims | DeviceClaim | Ask for a scanner, a scale or a camera by its properties.
M Cargoes were tied to boxes by hand because of the scale at the counter.
G Claim devices with selectors|Share a device among readers
N Hot plugging of disks
P A claim selects devices by attributes such as vendor, port and resolution. The berth matches it when the cargo starts and reserves the device, or a share of it if the driver allows readers.
@ berth | Image Garbage Collection by Age | ImageAgeGC | Remove images that nobody used for weeks.
M Disks fill with old releases, and the collector wakes up when it is too late.
G Remove images unused for `imageMaximumAge`|Keep pinned images
N Deduplicating layers
P Every six hours the agent removes images whose last use is older than `imageMaximumAge`. Pinned images and the previous release of each cargo are spared.
@ berth | Peer Image Distribution | PeerImages | Fetch an image once per site.
M Twelve boxes pulled the same image over the same thin line.
G Elect one puller|Serve peers over the local network
N Serving other sites
P The elected puller announces the digests it holds. Peers fetch chunks of 4 MiB from it and verify every chunk; after three bad chunks a peer turns to the registry and reports `PeerImageCorrupt`.
@ berth | Offline Start | OfflineStart | Start cargoes without the control plane.
M After a night without link and a power cut nothing came up.
G Start from the last known manifest|Mark the state as stale
N Scheduling while offline
P The agent stores the last manifest with its signature and starts from it when the harbourmaster cannot be reached for 45 seconds. A manifest older than seven days is not started unless `offlineMaxAge` says so.
@ observability | Structured Agent Logs | StructuredLogs | Logs that machines can read.
M Support greps free text in nine dialects.
G Key and value for every message|A stable set of keys
N Changing log levels
P Log calls take a message and pairs. A linter refuses formatted messages in changed files, so that the old ones fade away with time.
@ observability | Event Deduplication | EventDedup | Count repeated events and store them once.
M One box with a loose cable wrote two million events.
G Group by reason and object|Keep the first and the last time
N Correlating different events
P Events with the same object and reason within ten minutes are folded into one with a count. The text of the first and of the last is kept.
@ observability | Metrics Over Thin Links | ThinMetrics | Send metrics when the link allows.
M The dashboards of ferries showed nothing between two ports.
G Buffer 72 hours on disk|Send the newest first
N Alerting on the box
P Samples are written to a ring of 600 MiB. After a gap the newest hour goes first, and older blocks follow at no more than 10 percent of the link.
@ observability | Trace Propagation | TraceContext | Follow a request from the till to the store.
M Nobody knew where the four seconds at checkout were spent.
G Propagate trace context in all components|Sample by site
N Storing traces
P Components read the header of the common standard, create spans for calls over the network, and sample one request in a hundred. A site can set its own rate.
@ observability | Health Summary Endpoint | HealthSummary | One page that says what is wrong.
M Shop staff call support and read out colours of lamps.
G Plain sentences in the language of the site|At most five findings
N Remote control
P The endpoint runs a dozen checks and prints the worst five as sentences with a next step. The page works without scripts and without a login from the local network.
@ observability | Cardinality Limits | CardinalityLimit | Protect the metric store from too many series.
M A label with the receipt number made eleven million series in an hour.
G Limit series per cargo|Drop the label and keep the metric
N Billing by series
P The agent keeps a set of series for each cargo. When the limit is reached the label with the most values is dropped and a metric says so.
@ observability | Energy Metrics | EnergyMetric | Watts per cargo.
M The sustainability report is an estimate of an estimate.
G Attribute power by processor time|Export joules
N Capping power
P The reading of the board is divided by processor time among the cargoes, with the idle part shown apart. Boards without a meter use a model by load.
@ observability | Log Retention by Size | LogRetention | Bound logs by size and not by days.
M A chatty cargo wrote a month of logs in a day.
G A size limit for each cargo|Keep the last lines before a crash
N Shipping logs
P A limit of bytes for each cargo replaces the number of days. The ring keeps the last two hundred lines before a crash in a file of their own.
@ cli | Plugin Index for skiffctl | PluginIndex | Find and install plugins by name.
M Plugins are passed around as attachments.
G A signed index|Install without root
N Running plugins in the control plane
P The index is a signed file with names, versions and digests. Plugins are put into the home of the user. A removed entry is reported and never deleted silently.
@ cli | Interactive Delete Confirmation | DeleteConfirm | Ask before a whole fleet goes away.
M Someone typed `skiffctl delete site --all` in the wrong window.
G Show what will be deleted|Skip with `--yes`
N An undo
P The client lists the number of objects by kind and asks for the name of the context to be typed. Scripts without a terminal must pass `--yes`, or the command ends with exit code 3.
@ cli | Diff Before Apply | ApplyDiff | Show the change before it is made.
M Reviews of manifests do not show what the cluster makes of them.
G A diff with server side defaults|Exit code 1 when there are changes
N Three way merges
P The client sends the manifest as a dry run and compares the answer with what is stored. Fields that the server fills in are marked, secrets are shown as hashes.
@ cli | Profiles for Contexts | ContextProfile | Group settings of the client by profile.
M People keep nine shells open so as not to touch production.
G Switch with one command|Show the profile in the prompt
N Sharing profiles
P A profile holds a context, a namespace, an output form and a colour for the prompt. `skiffctl use NAME` switches the shell and nothing else.
@ cli | Offline Command Reference | OfflineHelp | Help that works in a cellar.
M Technicians stand in cellars without reception.
G Ship the reference with the client|Search it
N Translations
P The help pages and examples are compiled into the client, with an index of words. `skiffctl help --search` answers without any network.
@ cli | Progress for Long Operations | ProgressEvents | Say how far a long command is.
M People interrupt a drain that was almost done.
G A progress bar from server events|Resume watching after a broken connection
N Estimates of time
P The server writes progress events on the object, at most one a second. The client shows a bar and, after an interruption, picks up from the last event.
@ cli | Table Output Stability | StableTables | Columns that scripts can rely on.
M A renamed column broke the inventory of a whole chain.
G Versioned columns|A warning on deprecated ones
N Colours
P Tables get a version. A script asks for `--table-version=2` and gets these columns for as long as the version is supported, which is two years.
@ release | Skew Policy of Three Releases | SkewPolicy | Let agents be three releases behind.
M Ferries are updated twice a year.
G Test every pair of versions in continuous integration|Refuse older agents with a clear message
N Downgrades
P The control plane accepts agents that are up to three minor releases older. A fourth gets `AgentTooOld` and keeps running what it has, but takes no new cargo.
@ release | Reproducible Builds | ReproBuild | The same source gives the same bytes.
M Auditors asked how we know, and we did not.
G Pin the toolchain|Publish the build environment
N Signing of plugins
P Time stamps, paths and the order of files are fixed. Two builders in different places publish their digests, and a release needs both to agree.
@ release | Long Term Branches | LongTermBranch | Keep one branch a year for longer.
M Retail freezes changes from October to January.
G Support for 26 months|Only fixes of security and data loss
N New features on the branch
P Each autumn one branch is chosen. Fixes are picked by the group each second week, and the list of what was not picked is published too.
@ release | Feature Gate Inventory | GateInventory | Know which gates exist and who owns them.
M A third of the gates had no owner any more.
G A machine readable list|Fail the build for gates past their date
N Gates of plugins
P Gates are declared in one file with owner, stage and the release in which they end. A job opens an issue two releases ahead and fails the build at the end.
@ release | Changelog From Labels | ChangelogLabels | Write the changelog from labels of changes.
M The release lead spent three evenings on it.
G Collect notes from pull requests|Group by area
N Marketing texts
P A bot asks for a sentence in the description of the change and checks its form. The notes of a release are sorted by area and read by one person before they go out.
@ release | Deprecation Clock | DeprecationClock | Count down to the removal of an interface.
M Nobody reads release notes, and removals come as a surprise.
G A warning header with the release of removal|Metrics of use
N Automatic conversion
P Answers to deprecated calls carry the release of removal. A metric counts callers by agent, and the summary of a fleet shows who has to act.
@ autoscaling | Site Autoscaler | SiteAutoscaler | Add replicas where the queue grows.
M Click-and-collect has a peak at five, and a different one in each town.
G Scale on queue length|Respect the limits of a site
N Buying hardware
P The controller looks at the queue every 15 seconds and wants 30 waiting items per replica. It doubles at most once a minute, and it scales down after 5 minutes of calm.
@ autoscaling | Scale to Zero | ScaleZero | Stop cargo that nobody uses.
M Forty percent of the memory belongs to tools that are opened once a week.
G Stop after `idleAfter`|Start on the first request within 4 seconds
N Suspending to disk
P After `idleAfter` without a request the replicas are stopped and the address is taken over by an activator. It holds the first request until one replica is ready.
@ autoscaling | Vertical Recommendations | VerticalHint | Suggest better requests.
M Requests are guesses from the day on which the cargo was written.
G Recommend from eight days of use|Never change anything by itself
N In place resizing
P The recommender keeps histograms with a half-life of a day and suggests the ninetieth percentile plus fifteen percent. Suggestions are written to the status and to nothing else.
@ autoscaling | In Place Resize | InPlaceResize | Change the limits of a cargo while it runs.
M A restart of the recommendation engine takes eleven minutes of warming up.
G Resize processor and memory|Report `Deferred` and `Infeasible`
N Resizing of scratch holds
P The agent compares the wanted with the granted resources. If the berth has no room now the state is Deferred and is tried again every 30 seconds; if the berth could never hold it the state is Infeasible and nothing is tried.
@ autoscaling | Calendar Scaling | CalendarScale | Scale by the opening hours.
M Load follows the opening hours more closely than any metric.
G Import opening hours|Exceptions for holidays
N Forecasts
P A calendar object lists opening hours and exceptions. Replicas are raised twenty minutes ahead of opening and lowered after the last receipt.
@ autoscaling | Cooldown per Direction | DirectionCooldown | Different calm times for up and down.
M One value for both made the system either slow or nervous.
G Separate windows|Defaults that keep old behaviour
N Learning the windows
P Two windows replace the single one. The controller takes the highest wish of the window when scaling down and the lowest when scaling up.
"""

SIG_POOLS = r"""
= storage
m Holds outlive the cargo that wrote them, and mistakes in this area are found [weeks later|during a restore].
m The present workaround is a cron job that [lives on the box itself|somebody wrote in 2021].
r Drivers report success before the data is on disk. The conformance suite checks this with a pulled plug.
r Slow disks make timeouts look like failures; the limits are configurable per class.
d The controller keeps its state in the status of the hold and can be restarted at any moment.
d All calls to the driver are idempotent and carry the identifier of the request.
d A finalizer keeps the object until the driver has confirmed the removal.
w More states for operators to learn, in a part of the system that was simple.
w Old drivers need a new release before they can take part.
a Doing it inside each driver, which gives [as many behaviours as drivers|uneven results].
= network
m Networks in shops are built by [whoever was there|the cheapest bidder], and the platform has to cope.
m Support tickets about this topic came third in the last survey of operators.
r Packet filters differ between kernels; the feature is tested on the oldest one we support.
r A wrong rule can cut off the berth that should receive its correction. The agent reverts after [two|three] minutes without contact.
d Rules are computed in the control plane, sent as a whole and applied atomically.
d The data path stays in the kernel; the agent only writes tables.
d State of connections survives a restart of the agent.
w The tables grow, and with them the time of a full synchronisation.
w One more thing to look at when a packet is missing.
a An overlay with its own control plane, which [would be a second product|nobody wanted to operate].
= scheduling
m Placement is invisible while it works and [very visible|loud] when it does not.
m Operators have asked for this in every meeting since the spring.
r Scores interact. The weights were tuned with traces of four fleets and may be wrong for a fifth.
r The queue could starve low classes; an age bonus is added after ten minutes.
d A plugin at the filter and the score stage does the work; the core of the scheduler is untouched.
d Decisions are explained in an event with the three strongest reasons.
d The cache is updated from watches, never by listing.
w Longer decisions: about two milliseconds for each hundred berths.
w The configuration gets one more knob that most people should leave alone.
a A second scheduler beside the first, with [the usual races|conflicts over the same berth].
= auth
m Boxes stand in places to which the public has access, and [walk away|some of them disappear] every year.
m An external review named this as the second most important gap.
r Locking out the owner is as bad as letting in a stranger, and more likely.
r Clocks on boxes are wrong. A skew of up to five minutes is tolerated.
d Checks happen in the server and never in the client alone.
d All decisions are written to the audit log with the rule that made them.
d Keys never leave the process that uses them; backups contain only wrapped keys.
w Operators need to keep one more procedure in a drawer.
w Debugging becomes harder, on purpose.
a Relying on the network of the site as a boundary, which [is how we got here|failed in every test].
= berth
m A berth is a small computer in a bad place, and it has to look after itself.
m The nearest person who could help [is a shop assistant|has a shop to run].
r A bug in the agent reaches every box. The gate can be switched off from the harbourmaster and on the box itself.
r Old kernels lack an interface that is used; the agent then [reports the feature as unavailable|leaves the gate off].
d The loop in the agent is a state machine with few states, each of which is written to disk.
d Work is done in the system slice, with a limit on memory and processor time.
d Conditions on the berth object show what was decided and when.
w The agent grows by about [two|three] megabytes.
w Tests need real hardware, of which the project has eleven boxes.
a A separate daemon, which would need its own updates and [its own watchdog|its own on-call].
= observability
m What cannot be seen over a thin line [does not get repaired|is repaired twice].
m Data is plentiful and answers are rare.
r Collecting costs processor time on boxes that have none to spare; the budget is one percent of a core.
r Names of metrics are an interface. They are marked as alpha in their help text.
d Data is batched, compressed and sent with a deadline.
d Everything is bounded: buffers, series, names, and the length of messages.
d The format is the open one that most tools read.
w Dashboards have to be adapted.
w More data that somebody has to pay for.
a Shipping everything and sorting later, at [eleven times|many times] the cost.
= cli
m The client is what people touch, [at night and in a hurry|often with one hand].
m Muscle memory is an interface as well.
r Scripts parse output that was never meant for them; the old form stays available for two releases.
r Terminals differ. Without a terminal the plain form is used.
d The work is done in the client with the existing interfaces of the server.
d Exit codes are listed in the help text and tested.
d Settings are read from flags, then the environment, then the file.
w One more flag in a help text that is too long already.
w Tutorials on the web will be wrong for a year.
a A web console, which [people without a link|technicians on a ladder] cannot use.
= release
m Releases are a promise to people who cannot upgrade at will.
m The group has spent its evenings on this by hand.
r Automation hides errors until the day of the release; there is a rehearsal two weeks before.
r Contributors may find the rule a burden, so that the bot does most of it.
d The rules are checked by a job that blocks merging.
d Data is kept in the repository, next to the code it describes.
d A dashboard shows the state for each branch.
w Slower merging in the last weeks of a cycle.
w More machines for continuous integration, about [a tenth|a fifth] more.
a Leaving it to custom, as [has been done so far|we always have].
= autoscaling
m Load comes in waves, and people pay for [the crest|the highest wave] all day.
m Most requests in the fleet are larger than any use that was ever measured.
r Loops can oscillate. Each has a dead band and a limit on its speed.
r A broken metric must not scale anything to nothing: without data the last value stays.
d The controller is stateless, and its decisions are visible in the status.
d Tolerances and windows are fields with defaults that keep old behaviour.
d Metrics come from the agent through the aggregated interface.
w Behaviour that depends on time is harder to test.
w Bills become less predictable.
a Fixed sizes with generous reserves, which [is what fleets do now|costs a third more boxes].
"""

WIKI = r"""
@ Copper Nugget | material | Rarity=Common; Stack size=99; Tool=any pickaxe; Found in=[Upper Galleries]
O Copper veins show as green streaks between 10 and 60 metres. Each block drops one nugget, or two with a [Copper Pickaxe] of fine quality.
U It is the first metal that can be smelted. Five nuggets make a [Copper Bar].
T The green streaks were brown until players mistook them for roots.
@ Copper Bar | crafted | Rarity=Common; Stack size=50
C Copper Nugget×5, Charcoal×1 @ Clay Furnace > 1
U Bars go into early tools, pipes and the [Bell of Return].
T The bar has the stamp of the studio's landlord on its underside.
@ Charcoal | crafted | Rarity=Common; Stack size=99
C Rootwood Log×2 @ Clay Furnace > 3
U The cheapest fuel. One piece burns for 40 seconds.
T Two burning pieces side by side make a face.
@ Rootwood Log | material | Rarity=Common; Stack size=99; Tool=axe; Found in=[Root Vaults]
O Chop the thick roots that hang from the ceiling. They grow back in two days when the top block is left in place.
U Building, fuel, and handles of tools.
T The rings of the log count the updates of the game.
@ Clay Lump | material | Rarity=Common; Stack size=99; Tool=spade; Found in=[Drowned Terrace]
O Dig in shallow water. Clay returns after rain.
U Bricks, pots and the [Clay Furnace].
T Digging clay has a different sound on the birthday of the lead designer.
@ Clay Furnace | machine | Rarity=Common; Stack size=1
C Clay Lump×12, Flint×2 @ by hand > 1
U Smelts one thing at a time. It stops when it stands in rain, so put a roof over it.
T Cats of other players like to sleep on it.
@ Flint | material | Rarity=Common; Stack size=99; Tool=any pickaxe; Found in=[Chalk Steps]
O One in six chalk blocks holds a flint.
U Sparks, arrow heads and the first knife.
T For one week flint was called "firestone", until a letter from another studio arrived.
@ Copper Pickaxe | tool | Rarity=Common; Durability=180; Mining level=2
C Copper Bar×3, Rootwood Log×1 @ Workbench > 1
U Mines everything down to [Tin Gravel], and is too soft for [Black Basalt].
@ Workbench | machine | Rarity=Common; Stack size=1
C Rootwood Log×8 @ by hand > 1
U Opens the second page of the crafting book.
T The scratches on it spell a word that nobody has read yet.
@ Tin Gravel | material | Rarity=Common; Stack size=99; Tool=spade; Found in=[Drowned Terrace]
O Wash gravel in a [Gold Pan] to get tin. Plain digging gives only gravel.
U Four pieces and one copper bar make a [Bronze Bar].
@ Gold Pan | tool | Rarity=Uncommon; Durability=90; Mining level=0
C Copper Bar×2, Reed Fibre×3 @ Workbench > 1
U Hold it in running water. A full wash takes 7 seconds.
T The sound was recorded with a frying pan and a kilogram of lentils.
@ Bronze Bar | crafted | Rarity=Uncommon; Stack size=50
C Copper Bar×1, Tin Gravel×4 @ Blast Kiln > 1
U Needed for machines, hinges and the [Bronze Pickaxe].
T Its colour was taken from a door handle in Lisbon.
@ Blast Kiln | machine | Rarity=Uncommon; Stack size=1
C Fire Brick×20, Bronze Hinge×2 @ Workbench > 1
U Twice as fast as the clay furnace, and the only way to smelt anything harder than copper. It needs a [Bellows] beside it.
T The roar is a slowed down recording of a hair dryer.
@ Fire Brick | crafted | Rarity=Common; Stack size=99
C Clay Lump×2, Chalk Dust×1 @ Clay Furnace > 2
U Holds heat and does not crack when lava touches it.
T A wall of one thousand of them was the first player building to be shown in the newsletter.
@ Bronze Hinge | crafted | Rarity=Uncommon; Stack size=20
O Two of them can be bought from [Old Marrow] for 15 glims before you are able to make any bronze.
C Bronze Bar×1 @ Anvil > 2
U Doors, chests and the kiln.
@ Bellows | machine | Rarity=Uncommon; Stack size=1
C Mole Leather×3, Rootwood Log×4 @ Workbench > 1
U Pump it every 30 seconds, or let a [Water Wheel] do it.
T They were meant to look like an accordion and still do.
@ Mole Leather | drop | Rarity=Common; Stack size=50; Dropped by=[Burrow Mole]
O Burrow moles drop one or two pieces. Sleeping moles always drop two.
U Bags, bellows, boots.
T The only leather in the game, because the artist did not want to draw cows.
@ Chalk Dust | material | Rarity=Common; Stack size=99; Tool=any pickaxe; Found in=[Chalk Steps]
U Marks on walls that glow faintly for one day.
@ Bronze Pickaxe | tool | Rarity=Uncommon; Durability=420; Mining level=3
C Bronze Bar×3, Ironroot Handle×1 @ Anvil > 1
U Breaks basalt. Repair it at the [Anvil] with one bar for 140 points of durability.
T On the loading screen it is held the wrong way round.
@ Ironroot Handle | crafted | Rarity=Uncommon; Stack size=10
C Ironroot×1, Mole Leather×1 @ Workbench > 1
U A handle that never snaps, used in every tool from bronze on.
@ Ironroot | material | Rarity=Uncommon; Stack size=20; Tool=axe of level 2; Found in=[Root Vaults]
O Only the oldest roots turn into ironroot. Look for purple bark.
U Handles and the frame of the [Diving Bell].
T There is exactly one ironroot that grows upwards.
@ Anvil | machine | Rarity=Uncommon; Stack size=1
C Bronze Bar×9 @ Blast Kiln > 1
U Repairs, reforging and chains. Its noise attracts [Tin Ear]s within 30 metres.
T Dropping it down a shaft does precisely what one hopes.
@ Black Basalt | block | Rarity=Common; Stack size=99; Tool=Bronze Pickaxe; Found in=[Ember Shelf]
U The strongest natural wall: only [Slag Worm]s dig through it.
T The columns have six sides, except for one with seven.
@ Ember Salt | material | Rarity=Rare; Stack size=30; Tool=Bronze Pickaxe; Found in=[Ember Shelf]
O White crust on basalt beside lava. It melts when it is mined without [Chill Gloves].
U Keeps food from rotting and is burned in the [Signal Brazier].
T Named after a cook of the studio who salted everything twice.
@ Chill Gloves | armour | Rarity=Rare; Defence=2; Durability=250
C Frost Moss×6, Mole Leather×2, Silver Thread×1 @ Loom > 1
U Lets you touch hot things. The gloves lose one point for each second in lava.
T The left one is a mirrored right one, thumb included.
@ Frost Moss | material | Rarity=Uncommon; Stack size=50; Tool=shears; Found in=[Pale Cistern]
O Grows only where no light was lit for three nights.
U Cooling, gloves and the [Frost Draught].
T It grows in the shape of the studio's logo if left alone for a hundred days.
@ Silver Thread | crafted | Rarity=Rare; Stack size=30
C Silver Flake×2, Cave Silk×1 @ Loom > 4
U Fine clothing and strings of instruments.
@ Silver Flake | material | Rarity=Rare; Stack size=50; Tool=Bronze Pickaxe; Found in=[Pale Cistern]
O Shines when hit by the light of a [Moon Lantern]; otherwise it looks like plain stone.
U Thread, mirrors and coins.
T Werewolves were planned once, and the flake is what is left of them.
@ Cave Silk | drop | Rarity=Common; Stack size=50; Dropped by=[Lace Spider]
U Nets, thread and bandages.
T The texture is a photograph of a tea towel.
@ Loom | machine | Rarity=Uncommon; Stack size=1
C Rootwood Log×10, Bronze Hinge×1 @ Workbench > 1
U Weaves cloth. Two players at one loom work three times as fast.
T Weaving to the rhythm of the music gives no bonus, whatever people say.
@ Moon Lantern | tool | Rarity=Rare; Durability=600; Mining level=0
C Silver Flake×4, Glow Cap×3, Lens×1 @ Anvil > 1
U Shows silver, secret doors and the footprints of the [Hollow King].
H 0.6: Added|0.8: No longer burns out in water
@ Glow Cap | material | Rarity=Common; Stack size=99; Tool=none; Found in=[Fungal Nave]
O Pick it with bare hands; any tool crushes it.
U Light, soup and dye.
T It was poisonous in the demo.
@ Lens | crafted | Rarity=Rare; Stack size=10
C Clear Quartz×2, Chalk Dust×4 @ Grinding Wheel > 1
U Lanterns, telescopes and traps that burn.
T Looking through it at the sky of the title screen shows a tiny moon.
@ Clear Quartz | material | Rarity=Uncommon; Stack size=50; Tool=Copper Pickaxe; Found in=[Chalk Steps]
U Glass and lenses.
@ Grinding Wheel | machine | Rarity=Uncommon; Stack size=1
C Black Basalt×6, Bronze Bar×1, Rootwood Log×2 @ Workbench > 1
U Sharpens blades: 25 percent more damage for the next 60 hits.
T It turns the other way in the southern hemisphere of the map.
@ Bell of Return | tool | Rarity=Rare; Durability=5; Mining level=0
C Copper Bar×8, Hollow Shard×1, Silver Thread×2 @ Anvil > 1
U Ring it to go back to the last bed. It takes 9 seconds, and any damage stops it. After five rings the bell cracks and cannot be repaired.
T A cracked bell can be hung on a door as a doorbell.
H 0.5: Added|0.7: Rings reduced from eight to five|1.1: Takes mounts along
@ Hollow Shard | drop | Rarity=Epic; Stack size=10; Dropped by=[Hollow King]
O The king leaves three shards behind. One more lies in the chest behind his throne.
U Bells, the [Echo Blade] and the last door.
T All shards together fit into the outline of a crown.
@ Echo Blade | weapon | Rarity=Epic; Damage=46; Durability=900
C Hollow Shard×2, Deep Steel Bar×3, Silver Thread×4 @ Anvil > 1
U Every third hit strikes twice. The second strike ignores armour.
T Its code name was "the polite sword", because it said everything twice.
@ Deep Steel Bar | crafted | Rarity=Rare; Stack size=50
C Deep Ore×3, Ember Salt×1, Coke×2 @ Blast Kiln > 1
U The best metal for tools and armour.
T Speedrunners need exactly eleven of them.
@ Deep Ore | material | Rarity=Rare; Stack size=50; Tool=Bronze Pickaxe; Found in=[Ember Shelf]
O Between 180 and 240 metres, most often below lava lakes.
U Smelted to steel.
T Early trailers show it in blue.
@ Coke | crafted | Rarity=Uncommon; Stack size=99
C Charcoal×4 @ Blast Kiln > 1
U Burns for 200 seconds and very hot.
@ Deep Steel Pickaxe | tool | Rarity=Rare; Durability=1400; Mining level=4
C Deep Steel Bar×3, Ironroot Handle×1, Silver Thread×1 @ Anvil > 1
U The only pickaxe that breaks [Sealed Stone].
T It makes the first three notes of the title music on stone.
@ Sealed Stone | block | Rarity=Epic; Stack size=20; Tool=Deep Steel Pickaxe; Found in=[Throne Hollow]
U Cannot be moved by any creature.
T One block of it stands in the very first room, behind the wall.
@ Reed Fibre | material | Rarity=Common; Stack size=99; Tool=none; Found in=[Drowned Terrace]
U Rope, paper and baskets.
@ Rope | crafted | Rarity=Common; Stack size=20
C Reed Fibre×6 @ by hand > 1
U Climb up to 12 metres. Ropes burn.
T Until 0.4 ropes could be pushed.
@ Paper | crafted | Rarity=Common; Stack size=99
C Reed Fibre×3 @ Workbench > 2
U Maps and letters.
T Letters to other players are limited to the length of an old text message.
@ Cave Map | tool | Rarity=Uncommon; Durability=0; Mining level=0
C Paper×4, Ink Sac×1 @ Workbench > 1
U Draws what you have seen within 64 metres. Copies can be made with one more sheet.
T North is always up, although the compass was removed.
@ Ink Sac | drop | Rarity=Common; Stack size=50; Dropped by=[Blind Squid]
U Ink and dye.
@ Fishing Line | tool | Rarity=Common; Durability=70; Mining level=0
C Cave Silk×2, Flint×1 @ by hand > 1
U Bites come faster in the dark.
T Boots are caught in pairs.
@ Pale Carp | food | Rarity=Common; Stack size=20; Restores=12 hunger
O Caught in any still water. In the [Pale Cistern] it bites at once.
U Eaten raw it makes you dizzy for a minute.
T Each carp has a name that can be seen in the save file.
@ Grilled Carp | food | Rarity=Common; Stack size=20; Restores=35 hunger
C Pale Carp×1, Ember Salt×1 @ Clay Furnace > 1
U Keeps for twelve days.
T The steam forms a fish.
@ Glow Soup | food | Rarity=Common; Stack size=5; Restores=28 hunger
C Glow Cap×3, Clay Pot×1 @ Campfire > 1
U You shine for two minutes after eating it, which [Lace Spider]s hate and [Night Moth]s love.
T The bowl is never empty on screen.
@ Clay Pot | crafted | Rarity=Common; Stack size=20
C Clay Lump×3 @ Clay Furnace > 1
U Holds soup, water and seeds.
T Breaking a hundred pots unlocks nothing at all.
@ Campfire | machine | Rarity=Common; Stack size=1
C Rootwood Log×3, Flint×1 @ by hand > 1
U Cooks two meals at once and keeps moths away.
T Sparks spell the initials of the team.
@ Root Bread | food | Rarity=Common; Stack size=20; Restores=40 hunger
C Root Flour×2, Clay Pot×1 @ Clay Furnace > 2
U The usual food for long trips, since it never rots.
T The recipe in the credits works in a real kitchen.
@ Root Flour | crafted | Rarity=Common; Stack size=99
C Sweet Root×3 @ Millstone > 2
U Baking.
@ Sweet Root | material | Rarity=Common; Stack size=50; Tool=spade; Found in=[Root Vaults]
O Can be planted in loam and is ripe after 4 days.
U Food, sugar and bait for [Burrow Mole]s.
T Players call it "the carrot that thinks".
@ Millstone | machine | Rarity=Uncommon; Stack size=1
C Black Basalt×10, Rootwood Log×4 @ Workbench > 1
U Needs a mule, a [Water Wheel] or patience.
@ Water Wheel | machine | Rarity=Uncommon; Stack size=1
C Rootwood Log×16, Bronze Bar×4 @ Workbench > 1
U Gives 8 units of power in a stream, 14 below a waterfall.
T A wheel in a flood can turn fast enough to fly off.
@ Gear Shaft | crafted | Rarity=Uncommon; Stack size=30
C Bronze Bar×1, Rootwood Log×1 @ Workbench > 4
U Carries power for up to 20 blocks; each bend costs one unit.
@ Pump | machine | Rarity=Rare; Stack size=1
C Bronze Bar×6, Gear Shaft×2, Mole Leather×2 @ Anvil > 1
U Lifts water by 15 metres and uses 3 units of power.
T Its rhythm is in seven eighths.
@ Diving Bell | machine | Rarity=Rare; Stack size=1
C Ironroot×4, Lens×2, Copper Bar×10, Rope×2 @ Anvil > 1
U Air for 6 minutes for two persons. Needed to reach the [Sunken Archive].
H 0.9: Added|1.0: Air raised from four to six minutes
T Knocking on the glass is answered from outside once in a great while.
@ Mine Cart | machine | Rarity=Uncommon; Stack size=1
C Bronze Bar×5, Rootwood Log×2 @ Anvil > 1
U Carries 24 stacks. Brakes fail above a slope of 40 degrees.
T The lamp in front was added after a petition with four thousand names.
@ Rail | crafted | Rarity=Common; Stack size=99
C Copper Bar×1, Rootwood Log×1 @ Workbench > 6
U Copper rails wear out, bronze ones were planned and never added.
@ Signal Brazier | machine | Rarity=Rare; Stack size=1
C Bronze Bar×4, Ember Salt×3, Fire Brick×6 @ Anvil > 1
U Shows your base on the maps of all friends within 500 metres. One salt burns for a day.
T The longest chain built by players had ninety-one of them.
@ Storage Chest | machine | Rarity=Common; Stack size=1
C Rootwood Log×6, Bronze Hinge×1 @ Workbench > 1
U 30 slots. A chest that is buried in loam cannot be seen by [Pilfer Rat]s.
T The lid opens to the side for left-handed players.
@ Burrow Mole | creature | Health=18; Damage=3; Behaviour=shy; Lives in=[Root Vaults]; Drops=[Mole Leather]
U Moles flee from light and attack only when cornered. A [Sweet Root] on the ground brings them out.
T It has the only animation in the game that was drawn by the composer.
@ Lace Spider | creature | Health=30; Damage=6; Behaviour=hostile at night; Lives in=[Fungal Nave]; Drops=[Cave Silk]
U Spiders hang motionless and drop when you pass below. They cannot bite through armour with a defence of 8 or more.
T It has nine legs, and the ninth was an accident that the team kept.
@ Tin Ear | creature | Health=55; Damage=11; Behaviour=hostile; Lives in=[Upper Galleries]; Drops=[Resonant Drum]
U A blind beast that hunts by sound. Crouching makes you silent; hammering, bells and boots of metal do not.
T In early builds it heard the microphone of the player.
H 0.4: Added|0.6: No longer hears through ten blocks of rock
@ Resonant Drum | drop | Rarity=Rare; Stack size=5; Dropped by=[Tin Ear]
U Scares away every [Pilfer Rat] and calls every other Tin Ear.
@ Pilfer Rat | creature | Health=8; Damage=1; Behaviour=thief; Lives in=[Upper Galleries]; Drops=[Lost Glim]
U Steals one stack from an open chest and hides it within 50 metres. Follow it instead of killing it.
T It prefers stacks that begin with the letter of its own name.
@ Lost Glim | drop | Rarity=Common; Stack size=999; Dropped by=[Pilfer Rat]
U The coin of the game. See [Trading].
@ Night Moth | creature | Health=5; Damage=0; Behaviour=harmless; Lives in=[Fungal Nave]; Drops=[Moth Dust]
U Moths put out torches, though not lanterns.
T A moth on the lantern of a statue marks a hidden lever.
@ Moth Dust | drop | Rarity=Common; Stack size=99; Dropped by=[Night Moth]
U Sleeping powder, and the base of most [Brewing].
@ Blind Squid | creature | Health=22; Damage=4; Behaviour=neutral; Lives in=[Pale Cistern]; Drops=[Ink Sac]
U Attacks swimmers that carry light.
T It is the only animal that was never hit in the closed test.
@ Slag Worm | creature | Health=140; Damage=20; Behaviour=hostile; Lives in=[Ember Shelf]; Drops=[Worm Gland]
U Digs through basalt and leaves tunnels that stay. Cold makes it slow: one [Frost Draught] thrown at its head stops it for 10 seconds.
T Its path can be followed backwards to its nest, which is empty.
@ Worm Gland | drop | Rarity=Rare; Stack size=10; Dropped by=[Slag Worm]
U Lava oil, and the [Heat Draught].
@ Hollow King | boss | Health=2400; Damage=38; Behaviour=boss; Lives in=[Throne Hollow]; Drops=[Hollow Shard]
U The fight has three phases. In the first he walks, in the second he is only visible in mirrors and by a moon lantern, and in the third he copies your last twenty seconds. Stand still before the third phase begins and his copy does nothing.
T He has no voice actor; his words are the sound of the wind in the car park of the studio.
H 0.7: Added|0.9: Health raised from 1800 to 2400|1.1: Third phase copies mounts too
@ Mire Matron | boss | Health=1600; Damage=29; Behaviour=boss; Lives in=[Drowned Terrace]; Drops=[Matron's Pearl]
U She heals in water. Drain the terrace with two pumps before you wake her.
T Speedrunners skip her by falling through the drain.
@ Matron's Pearl | drop | Rarity=Epic; Stack size=1; Dropped by=[Mire Matron]
U Lets you breathe under water while it is held in the left hand.
@ Cinder Twins | boss | Health=900; Damage=33; Behaviour=boss; Lives in=[Ember Shelf]; Drops=[Twin Ember]
U Each twin has 900 health. They must fall within 12 seconds of each other, or the survivor revives the other one with half of its health.
T They share one health bar in the files, cut in two by a line of code that is commented "sorry".
H 0.8: Added|1.0: Time between the two raised from 8 to 12 seconds
@ Twin Ember | drop | Rarity=Epic; Stack size=2; Dropped by=[Cinder Twins]
U Fuel that never ends, once for each furnace.
@ Stone Tortoise | creature | Health=90; Damage=0; Behaviour=tame; Lives in=[Chalk Steps]; Drops=[Shell Plate]
U Can be ridden after feeding it 5 [Glow Cap]s. It carries 12 stacks and never hurries.
T Each one has a different pattern, made from the date of its birth.
@ Shell Plate | drop | Rarity=Uncommon; Stack size=20; Dropped by=[Stone Tortoise]
O Tortoises shed a plate every six days. Killing one gives a single plate and a curse for a day.
U Armour and roofs.
@ Glass Bat | creature | Health=7; Damage=2; Behaviour=hostile in swarms; Lives in=[Chalk Steps]; Drops=[Bat Glass]
U Shatters when a bell is rung.
T The sound artist broke sixty glasses for it.
@ Bat Glass | drop | Rarity=Common; Stack size=99; Dropped by=[Glass Bat]
U Windows that let no sound through.
@ Cellar Hen | creature | Health=6; Damage=0; Behaviour=tame; Lives in=[Upper Galleries]; Drops=[Hen Egg]
U Lays one egg a day if it hears music.
T The hens like the same music as the producer.
@ Hen Egg | food | Rarity=Common; Stack size=12; Restores=6 hunger
U Cakes, omelettes and throwing.
@ Mushroom Omelette | food | Rarity=Uncommon; Stack size=5; Restores=52 hunger
C Hen Egg×2, Glow Cap×1, Ember Salt×1 @ Campfire > 1
U Also cures dizziness.
@ Pack Mule | creature | Health=60; Damage=5; Behaviour=tame; Lives in=[Upper Galleries]; Drops=nothing
O Bought from [Old Marrow] for 120 glims.
U Carries 36 stacks and turns the [Millstone]. It refuses to walk on ropes and bridges of rope.
T The mule has more lines of dialogue than the king.
@ Copper Helmet | armour | Rarity=Common; Defence=3; Durability=160
C Copper Bar×4, Mole Leather×1 @ Workbench > 1
U Protects from falling stones, and is loud.
@ Shell Cuirass | armour | Rarity=Rare; Defence=9; Durability=700
C Shell Plate×6, Silver Thread×2 @ Loom > 1
U The quietest body armour.
T Tortoises turn their head away from a player who wears it.
@ Deep Steel Mail | armour | Rarity=Epic; Defence=16; Durability=1100
C Deep Steel Bar×7, Silver Thread×3 @ Anvil > 1
U The best defence, but swimming is impossible.
T It weighs as much as a mule, which is why mules laugh at it.
@ Felt Boots | armour | Rarity=Uncommon; Defence=1; Durability=200
C Mole Leather×2, Cave Silk×4 @ Loom > 1
U Makes running as silent as crouching.
@ Flint Knife | weapon | Rarity=Common; Damage=7; Durability=60
C Flint×1, Reed Fibre×2 @ by hand > 1
U Skins animals: one extra leather from each mole.
@ Copper Spear | weapon | Rarity=Common; Damage=13; Durability=170
C Copper Bar×1, Rootwood Log×2 @ Workbench > 1
U Reaches 3 metres and can be thrown.
@ Bronze Axe | weapon | Rarity=Uncommon; Damage=21; Durability=380
C Bronze Bar×2, Ironroot Handle×1 @ Anvil > 1
U An axe of level 2, which is what ironroot asks for.
@ Silk Sling | weapon | Rarity=Common; Damage=9; Durability=120
C Cave Silk×5 @ by hand > 1
U Throws stones, flasks and eggs.
T Eggs fly further than stones.
@ Drum Hammer | weapon | Rarity=Rare; Damage=34; Durability=520
C Resonant Drum×1, Bronze Bar×4, Ironroot Handle×1 @ Anvil > 1
U Knocks back everything in a ring of 4 metres.
@ Frost Draught | potion | Rarity=Uncommon; Stack size=8; Duration=90 seconds
C Frost Moss×3, Moth Dust×1, Clay Pot×1 @ Brewing Stand > 2
U Drunk it protects from heat, thrown it freezes water and worms.
T The label on the bottle is a weather report.
@ Heat Draught | potion | Rarity=Rare; Stack size=8; Duration=150 seconds
C Worm Gland×1, Moth Dust×2, Clay Pot×1 @ Brewing Stand > 1
U Walk on lava, slowly.
@ Sleep Draught | potion | Rarity=Uncommon; Stack size=8; Duration=25 seconds
C Moth Dust×4, Sweet Root×1, Clay Pot×1 @ Brewing Stand > 2
U Puts small animals to sleep, which doubles what moles drop.
@ Owl Draught | potion | Rarity=Rare; Stack size=8; Duration=240 seconds
C Glow Cap×4, Hen Egg×1, Silver Flake×1, Clay Pot×1 @ Brewing Stand > 1
U See in the dark. Bright light hurts while it lasts: 1 damage a second.
T For a moment before it ends the screen blinks twice.
@ Brewing Stand | machine | Rarity=Uncommon; Stack size=1
C Copper Bar×3, Clay Pot×2, Flint×1 @ Workbench > 1
U A brew takes 75 seconds and must not be moved.
@ Old Marrow | character | Role=trader; Lives in=[Upper Galleries]; Likes=[Root Bread]; Dislikes=[Resonant Drum]
U Sells hinges, mules and rumours. He comes on the first, the eighth and the fifteenth day of a month and leaves at dusk.
T His left hand is always in his pocket; the model has none.
@ Sister Quill | character | Role=archivist; Lives in=[Sunken Archive]; Likes=[Paper]; Dislikes=[Ink Sac]
U Translates tablets, one a day, and asks for nothing but silence.
T She was the last character to get a face.
@ Brindle | character | Role=smith; Lives in=[Ember Shelf]; Likes=[Mushroom Omelette]; Dislikes=[Frost Moss]
U Reforges tools to fine quality for 60 glims. She refuses a tool that was repaired more than three times.
T Her forge was modelled on a bakery.
@ The Ferrywoman | character | Role=ferry; Lives in=[Pale Cistern]; Likes=[Pale Carp]; Dislikes=[Bell of Return]
U Takes you across for 4 glims, and for nothing when it rains above.
T She has never been seen on land.
@ Little Osk | character | Role=quest giver; Lives in=[Fungal Nave]; Likes=[Glow Soup]; Dislikes=[Lace Spider]
U Lost his lantern, his hen and his sister, in this order.
T His lines were written by the nine year old son of the lead designer.
@ Upper Galleries | region | Depth=0 to 60 m; Danger=low; Music=Lamps and Dust
U The first region. Fresh air comes through shafts, so torches last twice as long.
T The graffiti are by people who supported the game before it had a name.
@ Chalk Steps | region | Depth=60 to 90 m; Danger=low; Music=White Stairs
U Terraces of chalk that break when a mine cart passes.
T There are as many steps as there are days in a leap year.
@ Root Vaults | region | Depth=70 to 130 m; Danger=medium; Music=Under Oak
U Roots of a tree that nobody has found. Fire spreads quickly here.
@ Drowned Terrace | region | Depth=100 to 140 m; Danger=medium; Music=Slow Water
U The water level rises by two metres every third night.
T The frogs croak in a different key each season.
@ Fungal Nave | region | Depth=120 to 170 m; Danger=medium; Music=Spore Choir
U A hall of mushrooms. Spores cut the hunger bar in half within 10 minutes unless a mask of cloth is worn.
@ Pale Cistern | region | Depth=150 to 200 m; Danger=medium; Music=Still
U A black lake with a ferry. Light attracts what lives below.
@ Ember Shelf | region | Depth=180 to 260 m; Danger=high; Music=Red Hours
U Heat drains 1 health every 6 seconds without protection.
T The heat haze was the most expensive effect of the year.
@ Sunken Archive | region | Depth=210 to 230 m; Danger=high; Music=Wet Paper
U Flooded rooms with 40 tablets. Doors open only from below.
T One of the tablets is a shopping list.
@ Throne Hollow | region | Depth=280 to 300 m; Danger=extreme; Music=None
U The last region. Beds do not work here.
T The echo returns a second too late, on purpose.
@ Trading | mechanic | Since=0.3
U Prices fall by 5 percent for each item of the same kind that was sold within a week. A trader who likes you pays one fifth more.
T Selling the same egg twice was possible until 0.5.
@ Brewing | mechanic | Since=0.5
U Each draught needs a base, a flavour and a pot. A wrong flavour gives sludge, which feeds hens.
@ Fine Quality | mechanic | Since=0.6
U Fine tools have half again as much durability and mine one block in five without loss. [Brindle] makes them.
@ Cave-ins | mechanic | Since=0.4
U A ceiling wider than 7 blocks without a pillar will fall within a minute. Dust is the warning.
@ Hunger | mechanic | Since=0.1
U Hunger falls by 1 every 36 seconds, and three times as fast while swimming.
@ Curses | mechanic | Since=0.7
U A curse lasts until the next dawn. There are five: heavy feet, loud breath, cold hands, short rope and bad luck. Salt on the doorstep keeps curses out.
@ Seasons Above | mechanic | Since=0.8
U Rain above raises water below with a delay of two days. In winter the shafts freeze and torches lose their bonus.
@ Multiplayer | mechanic | Since=0.9
U Up to 6 players share one cave. The host's clock counts. When the host leaves, the world pauses for the others.
@ Save Files | mechanic | Since=0.1
U The game saves at every bed and every 20 minutes. Three older states are kept as `world.1` to `world.3`.
@ Console Commands | mechanic | Since=0.6
U Press F9. `/depth` shows how deep you are, `/wake NAME` wakes a boss, and `/calm` removes all hostile creatures for the day and marks the save as assisted.
@ Error Messages | mechanic | Since=0.2
U `LH-201 Save too new` means that the file comes from a later version; update the game. `LH-207 Tablet missing` appears when the archive was flooded in a beta version: dig up the replacement under the ferry pier. `LH-330 Echo overflow` stops the copy of the king in worlds with more than 400 machines near the throne; move the machines away.
@ Torch | tool | Rarity=Common; Durability=300; Mining level=0
C Rootwood Log×1, Moth Dust×1 @ by hand > 4
U Burns for five minutes.
T The first object that was modelled for the game.
@ Stone Mask | armour | Rarity=Rare; Defence=4; Durability=300
C Black Basalt×3, Bat Glass×2 @ Grinding Wheel > 1
U Nobody recognises you, not even your dog.
T There is a dog somewhere in the files.
@ Loam | block | Rarity=Common; Stack size=99; Tool=spade; Found in=[Root Vaults]
U Soil for roots. Wet loam swells and closes gaps.
@ Chalk Block | block | Rarity=Common; Stack size=99; Tool=any pickaxe; Found in=[Chalk Steps]
U Cheap walls that break under carts.
@ Mirror | crafted | Rarity=Rare; Stack size=5
C Silver Flake×3, Bat Glass×2 @ Anvil > 1
U Shows what is invisible, and reflects beams.
T Your reflection is half a second younger than you.
@ Lava Oil | crafted | Rarity=Rare; Stack size=10
C Worm Gland×1, Coke×1 @ Brewing Stand > 2
U Machines run on it for a whole day.
@ Steam Drill | machine | Rarity=Epic; Stack size=1
C Deep Steel Bar×8, Gear Shaft×6, Lava Oil×2, Lens×1 @ Anvil > 1
U Digs a tunnel of 3 by 3 blocks at one metre in 2 seconds. It cannot turn and must be taken apart.
T The drill of the trailer is twice as big; it did not fit through the doors.
H 1.0: Added|1.2: Needs two lava oil instead of five
@ Spore Mask | armour | Rarity=Uncommon; Defence=0; Durability=180
C Cave Silk×3, Charcoal×2 @ Loom > 1
U Keeps spores out for 30 minutes. Change the charcoal afterwards.
@ Bandage | crafted | Rarity=Common; Stack size=20
C Cave Silk×2 @ by hand > 1
U Heals 15 health over 10 seconds.
@ Pit Trap | machine | Rarity=Common; Stack size=5
C Reed Fibre×4, Rootwood Log×2 @ by hand > 1
U Catches everything lighter than a mule.
@ Ladder | crafted | Rarity=Common; Stack size=30
C Rootwood Log×2 @ Workbench > 3
U Does not burn when it was soaked in clay water.
@ Kite | tool | Rarity=Rare; Durability=40; Mining level=0
C Paper×3, Silver Thread×1 @ Loom > 1
U Rises in the air of shafts and shows the weather above.
T A red one was given to everybody who found the first bug.
@ Tablet | material | Rarity=Epic; Stack size=40; Tool=none; Found in=[Sunken Archive]
U Brought to [Sister Quill], each tells one line of the story.
@ Bed | machine | Rarity=Common; Stack size=1
C Rootwood Log×4, Cave Silk×6 @ Workbench > 1
U Sets the place to which you return. Beds need a roof and a door.
T Sleeping for thirty days in a row changes the dream.
@ Cave Flute | tool | Rarity=Uncommon; Durability=0; Mining level=0
C Rootwood Log×1, Silver Thread×1 @ Workbench > 1
U Calms hens and annoys bats. Four tunes can be learned from [Little Osk].
T The fourth tune is the ringtone of the composer's mother.
@ Harpoon | weapon | Rarity=Uncommon; Damage=26; Durability=150
C Bronze Bar×2, Rope×1 @ Anvil > 1
U Pulls squids out of the water and you into it.
@ Salt Line | block | Rarity=Uncommon; Stack size=50
C Ember Salt×1 @ by hand > 5
U Curses and slugs do not cross it.
@ Loam Slug | creature | Health=12; Damage=2; Behaviour=neutral; Lives in=[Root Vaults]; Drops=[Slug Glue]
U Eats planted roots at night.
@ Slug Glue | drop | Rarity=Common; Stack size=50; Dropped by=[Loam Slug]
U Sticks torches to ice and repairs pots.
@ Choir Stalk | creature | Health=44; Damage=8; Behaviour=hostile; Lives in=[Fungal Nave]; Drops=[Singing Spore]
U Stands still and sings. Whoever listens for eight seconds walks towards it.
T The words are recipes, sung slowly.
@ Singing Spore | drop | Rarity=Rare; Stack size=10; Dropped by=[Choir Stalk]
U Played in a music box it keeps every spider asleep.
@ Music Box | machine | Rarity=Rare; Stack size=1
C Singing Spore×1, Bronze Bar×2, Gear Shaft×1 @ Anvil > 1
U Plays one of six tunes. Hens within 20 metres lay twice.
T The sixth tune is the first one backwards.
@ Hearth Golem | creature | Health=200; Damage=15; Behaviour=guard; Lives in=[Ember Shelf]; Drops=[Golem Core]
U Guards old forges and never leaves them. It sleeps while its fire is out.
@ Golem Core | drop | Rarity=Epic; Stack size=3; Dropped by=[Hearth Golem]
U The heart of the [Steam Golem].
@ Steam Golem | machine | Rarity=Epic; Stack size=1
C Golem Core×1, Deep Steel Bar×12, Gear Shaft×8 @ Anvil > 1
U Follows, carries 60 stacks, and fears nothing but rain.
H 1.2: Added
T It waves when nobody looks.
@ Cistern Eel | food | Rarity=Rare; Stack size=10; Restores=30 hunger
O Bites only during a storm above.
U Grilled it also gives night sight for a minute.
@ Honey Lichen | food | Rarity=Uncommon; Stack size=30; Restores=9 hunger
U Heals one curse in three.
T The taste is described differently by each character.
@ Bridge Kit | block | Rarity=Uncommon; Stack size=10
C Rope×2, Rootwood Log×6 @ Workbench > 1
U Spans up to 18 metres. Mules will not set foot on it.
@ Achievement List | mechanic | Since=1.0
U There are 34 achievements. The rarest, "Both Ears", asks for two Tin Ears in one pit trap.
@ Fishing | mechanic | Since=0.3
U Still water, a line and darkness. Bait halves the time, moonlight doubles it.
@ Power | mechanic | Since=0.8
U Power is counted in units. Machines that get less than they need run slower and never break.
@ Depth Sickness | mechanic | Since=0.9
U Going down more than 100 metres within two minutes blurs the view for 45 seconds.
@ Chest of the Drowned | block | Rarity=Epic; Stack size=1; Tool=none; Found in=[Sunken Archive]
U Opens with the [Matron's Pearl] and holds one piece of deep steel armour.
"""

ZH = r"""
@ 产品概述
云雀盘是给十人到五百人的团队用的文件同步服务。它由服务端、桌面客户端和手机客户端三部分组成，文件存放在团队自己选定的机房。
## 适合谁
设计工作室、律师事务所和小型制造企业用得最多。需要几千人同时编辑同一份表格的场合，云雀盘并不合适。
## 名词
“空间”是一组共享文件的总称，“席位”是可以登录的一个人，“锚点”是某一时刻整个空间的只读副本。锚点每天凌晨自动生成一次，也可以手动生成。
@ 安装-服务端
服务端只支持 64 位 Linux，推荐八核处理器、十六吉字节内存。
## 步骤
1. 下载安装包并核对校验值。
2. 运行 `yqp-setup --data /srv/yqp`，按提示填写域名。
3. 用 `yqp-ctl license import 文件名` 导入许可证。
4. 打开 `https://域名:8743/admin` 完成初始化。
## 注意
数据目录不能放在网络文件系统上，否则会出现 E-1107。安装完成后请立刻修改初始密码，初始密码只在四十八小时内有效。
@ 安装-桌面客户端
支持 Windows 10 以上和 macOS 12 以上。
## 静默安装
在批量部署时使用参数 `/quiet /server=域名`，客户端会在下一次登录时自动连接。
## 同步文件夹
默认位置是用户目录下的“云雀盘”。要换位置，先在设置里点“暂停同步”，移动文件夹，再点“重新指定”，不要直接拖走，否则客户端会把所有文件当作已删除。
@ 安装-手机客户端
手机端只在接入无线网络时自动上传照片。要用移动数据上传，请在“设置—流量”里打开，每月上限可以自己填，默认五百兆字节。
## 生物识别
指纹或面容只用来解锁应用，不会代替账号密码。连续输错五次后，本机缓存会被清空。
@ 升级指南
升级前请先生成一个锚点。服务端必须逐个大版本升级，例如从三版到五版要先升到四版。
## 顺序
先升服务端，再升桌面客户端，最后升手机客户端。新服务端最多兼容落后两个小版本的客户端。
## 回退
回退只能在升级后七十二小时内进行，命令是 `yqp-ctl rollback --to-anchor 编号`。超过这个时间，数据库结构已经清理，无法回退。
@ 限额
| 项目 | 基础版 | 专业版 | 旗舰版 |
| --- | --- | --- | --- |
| 单个文件 | 4 GB | 20 GB | 100 GB |
| 席位 | 25 | 120 | 500 |
| 历史版本 | 10 个 | 60 个 | 不限 |
| 锚点保留 | 7 天 | 30 天 | 180 天 |
| 外链有效期 | 7 天 | 90 天 | 365 天 |
## 说明
文件夹最多嵌套四十层，完整路径不得超过四百个字符。超出席位时，新用户可以登录但只能读。
@ 价格
| 版本 | 每席位每月 | 最少席位 |
| --- | --- | --- |
| 基础版 | 18 元 | 5 |
| 专业版 | 42 元 | 10 |
| 旗舰版 | 96 元 | 30 |
## 优惠
按年付费打八五折，学校和公益组织再减三成。中途增加席位按剩余天数计费，减少席位从下个账期生效。
@ 付款与发票
支持对公转账和在线支付。对公转账通常两个工作日内到账。
## 发票
电子发票在付款后三个工作日内发到管理员邮箱。需要专用发票的，请在付款前填写税号，付款后不能改。
## 欠费
欠费十五天后空间变为只读，六十天后停用，停用后数据再保留三十天。
@ 退款政策
首次购买十四天内可以全额退款，续费不退。
## 办法
管理员在“账单”页提交申请，财务五个工作日内处理。已经开具专用发票的，要先寄回发票。
@ 错误码
| 代码 | 含义 | 处理 |
| --- | --- | --- |
| E-1003 | 许可证与域名不符 | 重新导入许可证 |
| E-1107 | 数据目录不在本地磁盘 | 换到本地磁盘后重启 |
| E-2040 | 文件名含有保留字符 | 改名，客户端会自动重试 |
| E-2051 | 本机时间偏差超过五分钟 | 校准时间 |
| E-3012 | 两人同时改了同一行 | 打开冲突副本手动合并 |
| E-3300 | 空间已满 | 清理回收站或扩容 |
| E-4409 | 设备被管理员停用 | 联系管理员 |
## 日志位置
服务端日志在 `/var/log/yqp/`，客户端按住 Shift 点图标可以导出日志。
@ 常见问题-同步
## 图标一直转圈
多半是有大文件在算校验值。一个十吉字节的文件大约要算两分钟。
## 文件变成了“冲突副本”
两个人在离线时改了同一个文件。云雀盘不会替你决定，后上传的那份会改名，名字里带有设备名和时间。
## 某个文件夹不同步
检查它是否列在“选择性同步”里，另外以波浪号开头的临时文件从来不会同步。
@ 常见问题-账号
## 忘记密码
在登录页点“找回”，邮件里的链接二十分钟内有效。
## 换手机
先在旧手机上退出，再在新手机上扫码。旧手机丢了，请管理员在“设备”页停用它。
## 员工离职
把席位转给接手的人，文件的归属会一起转走，共享链接会失效。
@ 权限说明
权限分五级：只看、下载、评论、编辑、管理。
## 继承
子文件夹默认继承上级，手动改过的子文件夹不再跟着变。“禁止继承”只有空间管理员能设。
## 水印
只看权限的人打开文件时会显示带工号的水印，截图里也看得见。
@ 外链分享
外链可以设密码、有效期和下载次数。没有设密码的外链最多只能用三天，不论版本。
## 撤回
撤回以后，已经打开的网页会在一分钟内失效。
## 统计
链接的主人能看到访问次数和地区，看不到访问者的姓名。
@ 回收站
删除的文件先进回收站，保留三十天，到期后进入“二级回收站”，再保留十五天，只有管理员能恢复。
## 清空
清空需要输入空间名称。清空操作会通知空间里的所有管理员。
@ 备份与恢复
建议每晚用 `yqp-ctl backup --target 目录` 备份一次。备份是增量的，每四周做一次全量。
## 恢复演练
恢复一太字节大约需要五个小时。请每季度演练一次，演练用的服务器不要联网，以免客户端连上去。
@ 管理员手册
管理员分为账单管理员、设备管理员和空间管理员，三种身份可以由同一个人担任，但至少要有两位管理员。
## 审计
审计日志保存一年，导出格式为表格。登录失败、权限变更和外链创建都会记录。
@ 单点登录
支持标准的统一身份认证协议。配置时填写身份提供方的地址和证书，证书到期前三十天系统会发邮件提醒。
## 应急账号
单点登录出故障时，只有名为 `yqp-rescue` 的应急账号可以用密码登录，而且只能从内网登录。
@ 接口-概览
接口地址以 `/open/v3` 开头，用令牌认证，令牌有效期九十天。
## 频率
每个令牌每分钟最多三百次请求，超出时返回 429，响应头里写明几秒后重试。
## 分页
每页默认五十条，最多二百条，游标十分钟内有效。
@ 接口-回调
空间里有变化时，云雀盘会向登记的地址发送通知。
## 签名
每个通知带有用密钥计算的签名，接收方要在五秒内返回成功。
## 重试
失败后按一分钟、五分钟、三十分钟、两小时重试，四次都失败就停用这个回调，并给管理员发邮件。
@ 网络要求
客户端需要访问 8743 和 8744 两个端口，前者传文件，后者收通知。只开放前一个端口时，客户端改为每九十秒轮询一次。
## 代理
支持带密码的代理。代理如果会拆开加密流量，请把服务端域名加入例外。
## 带宽
可以按时段限速。工作时间限到每秒两兆字节是常见的做法。
@ 安全白皮书
文件分块加密后存储，每块四兆字节，每块一把密钥。主密钥由客户保管，丢失后我们也无法恢复。
## 渗透测试
每半年由外部公司做一次渗透测试，报告摘要可以索取。
## 漏洞奖励
高危漏洞奖励两万元，中危五千元，七天内答复。
@ 服务等级
专业版承诺每月可用率千分之九百九十五，旗舰版承诺万分之九千九百九十。基础版没有承诺。
## 赔偿
每低于承诺一个百分点，赔偿当月费用的一成，最高五成。
## 响应时间
旗舰版电话一小时内响应，专业版工单八小时内响应，基础版只有论坛。
@ 数据迁移
从别家网盘迁来，请用 `yqp-import`。它按文件夹逐个搬，断了可以接着搬。
## 速度
小文件每小时大约搬四万个。建议周五晚上开始。
## 不会迁移的内容
评论、收藏和外链不会迁过来，历史版本只迁最近三个。
@ 更新日志
| 版本 | 日期 | 变化 |
| --- | --- | --- |
| 5.2 | 2026-03-18 | 回调增加签名 |
| 5.1 | 2025-11-06 | 手机端支持面容解锁 |
| 5.0 | 2025-07-22 | 引入锚点，取消旧的快照 |
| 4.8 | 2025-02-14 | 外链可以限制下载次数 |
| 4.7 | 2024-10-30 | 桌面客户端支持选择性同步 |
"""

NAMES = """Maren Oduya;oduya;|Tobias Lindqvist;tlindq;tobias@lindqvist.example|Ines Carvalho;icarv;|Yusuf Demirel;ydemirel;yusuf@demirel.example
Anneke de Wit;akdw;|Ravi Subramanian;ravisub;|Hanna Korhonen;hkor;hanna.korhonen@mesh.example|Pablo Ferreyra;pferr;
Lucie Marchand;lmarch;|Dmitri Volkov;dvolk;|Chiara Bellandi;cbel;chiara@bellandi.example|Sean O'Rourke;seanor;
Mei-Ling Tsai;mltsai;|Jonas Aalto;jaalto;|Fatima El Amrani;felam;fatima@kasbah.example|Greta Holm;gholm;
Kofi Mensah;kmensah;|Viktor Novak;vnovak;viktor.novak@relay.example|Sofia Pappas;spappas;|Tomasz Wrona;twrona;
Aiko Hamada;ahamada;|Leif Strand;;leif@strand.example|Nadia Rahimi;nrahimi;|Bruno Castel;bcastel;|Edith Vogel;;edith@vogel.example
Owen Pritchard;opritch;|Zsofia Balint;zbalint;|Kwame Asante;kasante;|Laura Ibsen;;laura.ibsen@heat.example|Mateo Rivas;mrivas;
Olga Petrenko;opetr;|Piotr Zaleski;pzal;|Rosa Lindner;rlindner;|Samir Haddad;shaddad;|Ulla Brandt;;ulla@brandt.example"""
HANDLES = {n: (h, m) for n, h, m in (x.split(";") for line in NAMES.split("\n") for x in line.split("|"))}
AUTHORS = list(HANDLES)
STATUS = {
    "Purpose and Guidelines": "Living",
    "Glossary of Terms": "Living",
    "Editor Duties": "Living",
    "Quiet Cells": "Final",
    "Guest Codes with Expiry": "Final",
    "Frost Guard": "Final",
    "Key Rotation": "Final",
    "Battery Gauge Cluster": "Final",
    "Mesh Depth Limit": "Final",
    "Frame Format Two": "Final",
    "Battery Passport Records": "Withdrawn",
    "Interference Map": "Withdrawn",
    "Comfort Vote": "Withdrawn",
    "Scene Undo": "Final",
    "Setpoint Arbitration": "Final",
    "Tariff Tables": "Final",
    "Deadbolt State Model": "Final",
    "Retirement of Format One": "Last Call",
    "Recovery Phrases for Homes": "Last Call",
}
LATE = ("Retirement of Format One", "Recovery Phrases for Homes", "Quantum Safe Handshake")
KEP_STATUS = {
    "Skew Policy of Three Releases": "implemented",
    "Gang Placement": "implemented",
    "Offline Start": "implemented",
    "Short Lived Berth Credentials": "implemented",
    "Site Autoscaler": "implementable",
    "Network Policy Tiers": "implementable",
    "Hardware Watchdog Integration": "implementable",
}
CATEGORY = {
    "battery": "Device",
    "lock": "Device",
    "light": "Device",
    "climate": "Device",
    "radio": "Networking",
    "discovery": "Interface",
    "energy": "Device",
    "sensor": "Device",
    "voice": "Interface",
    "pairing": "Core",
    "scene": "Interface",
    "firmware": "Core",
    "data": "Interface",
    "care": "Interface",
}
REASONS = [
    "superseded by HIP-{other}",
    "the authors have moved on to other work",
    "the field trial showed no gain over the present rules",
    "covered by national law in most markets",
    "merged into HIP-{other}",
    "patent claims could not be settled",
    "no second implementation was found",
]
OPENINGS = [
    "This proposal introduces {t}: {d}.",
    "{t} is a small [addition|extension] to the protocol. In one sentence: {d}.",
    "The document [defines|describes] how homes can agree on the following: {d}.",
    "In short, {d}.",
    "We propose {t}, that is, {d}.",
    "What is proposed here can be said briefly: {d}.",
]
BUILDS_ON = [
    "This document builds on {links}.",
    "Terms that are defined in {links} are not repeated here.",
    "The reader is assumed to know {links}.",
    "Messages and types are taken from {links}.",
    "A device that follows this document MUST also implement {links}.",
]
GENERAL = {
    "m": [
        "The matter came up again in the [spring|autumn] meeting and nobody defended the present state.",
        "Implementers have solved it privately in [three|four|at least two] ways, none of which works with the others.",
        "Support lines report it among their ten most frequent calls.",
        "A [short|brief] survey among installers confirmed that this is not a rare case.",
        "Devices last longer than companies, so that a private solution dies with its vendor.",
        "It is a small thing, and small things are what people notice every day.",
        "No change of hardware is needed for it, which cannot be said of the alternatives.",
        "Earlier attempts asked too much of the smallest devices.",
        "The problem grows with the number of devices, and homes with a hundred of them are no longer unusual.",
        "Where the present text is silent, products [guess|improvise], and their guesses differ.",
    ],
    "r": [
        "Names follow the style guide, even where a shorter one was at hand.",
        "Making the whole feature mandatory was weighed and refused, because the smallest class of devices has no room.",
        "The size of the fields was chosen so that a frame of the common length is enough.",
        "An earlier revision had [twice|three times] as many options; most reviewers used the same two.",
        "Compatibility with bridges to other systems was a wish and not a condition.",
        "Where two choices were equal the one that is easier to test was taken.",
        "The present wording was read aloud to two people who had not seen it before, and changed where they stumbled.",
        "Numbers were preferred to adjectives wherever somebody was able to measure.",
    ],
    "b": [
        "Older devices ignore the new fields and keep working as they do today.",
        "There is no conflict with certified products, since the code points were reserved and unused.",
        "A hub that does not know this proposal shows the device with a generic symbol.",
        "Bridges need a new release. Until then they pass the messages on unread.",
        "Nothing is removed. The old message stays legal for [two|three] releases of the protocol.",
        "Homes that mix old and new devices get the behaviour of the older ones.",
        "The change is visible only to devices that announce it in their capability document.",
    ],
    "t": [
        "Vectors for the limits are found in the assets folder, each as a pair of frame and expected answer.",
        "A test run sends the smallest, the largest and one illegal value and expects two answers and one refusal.",
        "The simulator in the assets folder replays a recorded evening and compares the log line by line.",
        "Tests cover a restart in the middle of the exchange.",
    ],
}
SIGS = ["storage", "network", "scheduling", "auth", "berth", "observability", "cli", "release", "autoscaling"]
CHAIRS = {
    "storage": "hollymarsh",
    "network": "dkaranja",
    "scheduling": "wexler",
    "auth": "noor-s",
    "berth": "ptolemy",
    "observability": "graingauge",
    "cli": "tamsin",
    "release": "bjornsen",
    "autoscaling": "quillon",
}
PEOPLE = [
    "adaline",
    "bgupta",
    "corvid",
    "dosantos",
    "emrys",
    "fennimore",
    "gwynn",
    "hartog",
    "ilse-k",
    "jpark",
    "kestrel",
    "lorimer",
    "mbeki-t",
    "nakano",
    "orla",
    "prideaux",
    "quist",
    "rasmus-b",
    "sabine",
    "teodor",
    "umarov",
    "valdis",
    "wystan",
    "xenakis",
    "yarrow",
    "zeller",
]
COMPONENTS = {
    "storage": ["harbourmaster", "skiffd"],
    "network": ["skiffd", "skiff-proxy"],
    "scheduling": ["skiff-scheduler"],
    "auth": ["harbourmaster"],
    "berth": ["skiffd"],
    "observability": ["skiffd", "harbourmaster"],
    "cli": ["skiffctl"],
    "release": ["harbourmaster"],
    "autoscaling": ["skiff-autoscaler", "harbourmaster"],
}
METRIC_ENDS = ["errors_total", "duration_seconds", "requests_total", "active", "retries_total"]
SUMMARIES = [
    "[Today|At present] Skiff has no answer to this, and every fleet builds its own.",
    "The change is optional and adds [one field|one object|a few fields] to the interface.",
    "It is aimed at sites with one to twelve berths and a thin line to the outside.",
    "Fleets that do not enable `{g}` will see no difference.",
    "Prototypes have been running in two pilot fleets since [the winter|last summer].",
    "The text covers the interface, the controller and the changes of the agent.",
]
STORIES = [
    "A technician of a supermarket chain looks after 340 boxes and has never seen most of them. With {t} she can act "
    "before the shop calls.",
    "The operator of a ferry line gets a link for [twenty|forty] minutes a day. Whatever needs a decision has to wait for "
    "it, or be decided on board.",
    "A franchise taker runs one box under the counter and has no wish to learn what `{g}` means. The defaults must do.",
    "A platform team with four people wants to remove the scripts that stand in for {t} today.",
    "A pharmacy must prove to an inspector that nothing was lost during a power cut.",
]
PLANS = [
    "A new field in the spec turns the behaviour on, and a condition in the status says what became of it. The controller "
    "does the work in small steps, so that it may be stopped between any two of them.",
    "The agent does the work on the berth and reports to the harbourmaster. The interface gets one object for {t}, with "
    "defaults that suit a site with a single box.",
    "We add a controller that watches the objects concerned, compares the wanted with the present state, and acts at most "
    "once in [ten|fifteen] seconds for each of them.",
    "The first step is a library, the second its use in the component, and the third the removal of the old path. Each is "
    "useful without the next one.",
]
TESTS = [
    "Unit tests cover the state machine; integration tests pull the plug [twenty|fifty] times at random moments.",
    "The end-to-end suite runs on real boxes every night, with a link that loses [two|five] percent of its packets.",
    "Tests run with the gate on and off, and with an upgrade in between.",
    "A scale test with [500|2000] simulated berths runs before each release.",
]
SKEWS = [
    "An old agent ignores the field. The control plane notices this by the version and reports it in a condition.",
    "Nothing has to be upgraded in a certain order, except that the agent comes after the harbourmaster.",
    "Clients that do not know the field keep its value when they write the object back.",
]
CRITERIA = {
    "Alpha": [
        "Implemented behind `{gate}`, off by default",
        "Unit tests in place",
        "One pilot fleet [agrees to|will] try it",
        "The interface was reviewed",
        "A way back is documented",
    ],
    "Beta": [
        "On by default",
        "End-to-end tests [stable for a month|without a flake for two weeks]",
        "Metrics and an alert exist",
        "Feedback of two fleets is worked in",
        "Upgrade and downgrade were tested by hand",
    ],
    "GA": [
        "Two releases in beta without a change of the interface",
        "Conformance tests",
        "No open bug of high priority",
        "In use on more than [1000|3000] berths",
        "`{gate}` is locked to on",
    ],
}
VERSIONS = ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0", "1.1", "1.2"]
ITEM_INTROS = [
    "{n} is [met|seen] early by most players and forgotten by none.",
    "**{n}** is part of the game's basic supplies.",
    "In Loamhollow, {n} is one of the things that [pile up in|fill] every chest.",
    "{n}: small, useful, and often in the way.",
    "Few bases do without {n}.",
    "{n} has a modest look and a [long|surprising] list of uses.",
]
MAKE_INTROS = [
    "{n} is made by players and cannot be found in the wild.",
    "**{n}** is a thing that every cave needs sooner or later.",
    "Once {n} has been built, much that was tedious becomes quick.",
    "{n} appears in the book as soon as its parts were held once.",
    "{n} pays for itself within [a few|two or three] days.",
]
GEAR_INTROS = [
    "{n} belongs to the gear of a careful explorer.",
    "**{n}** takes one slot of the belt.",
    "{n} is [carried by|found on] most players who come back alive.",
    "{n} can be named at the anvil like all gear.",
]
BEING_INTROS = [
    "{n} has its own page in the bestiary, which fills after the third meeting.",
    "**{n}** was among the first sketches for Loamhollow.",
    "{n} is best watched from a distance at first.",
    "Players meet {n} sooner than they [wish|think].",
]
PLACE_INTROS = [
    "{n} is one of the nine regions of the cave.",
    "**{n}** lies on the way down, and there is no way round it.",
]
RULE_INTROS = ["{n} is explained only in passing by the game.", "This page collects what is known about {n}."]
INTROS = {
    "material": ITEM_INTROS,
    "drop": ITEM_INTROS,
    "food": ITEM_INTROS,
    "block": ITEM_INTROS,
    "crafted": MAKE_INTROS,
    "machine": MAKE_INTROS,
    "potion": MAKE_INTROS,
    "tool": GEAR_INTROS,
    "armour": GEAR_INTROS,
    "weapon": GEAR_INTROS,
    "creature": BEING_INTROS,
    "boss": BEING_INTROS,
    "character": BEING_INTROS,
    "region": PLACE_INTROS,
    "mechanic": RULE_INTROS,
}
FIND = [
    "Look for it around [{s}]; patience helps more than luck.",
    "The usual source is [{s}]. Traders never sell it.",
    "[{s}] is the only place to get it, apart from the odd chest.",
    "Most players bring a bagful from [{s}] on their first visit.",
    "It comes from [{s}]. The amount does not depend on the weapon or tool.",
]
DROP = [
    "Left behind by [{s}]. No other creature carries it.",
    "[{s}] drops it, whatever it was beaten with.",
    "The only way to get it is to meet [{s}], and traders do not have it.",
    "It is what remains of [{s}] after a fight.",
]
TIPS = {
    "item": [
        "Keep a stack of it near the entrance.",
        "It can be given away but not thrown.",
        "In multiplayer it drops for each player.",
        "It floats, so look downstream if you lose it.",
        "Chests sort it under its first letter.",
        "Hens are afraid of it.",
        "It burns, and it burns well.",
        "Dropped on the ground it vanishes after ten minutes.",
    ],
    "machine": [
        "It can be moved with a cart.",
        "Breaking it gives back half of the parts.",
        "It works while you sleep.",
        "It does not work on sand.",
        "Its noise can be heard two rooms away.",
    ],
    "creature": [
        "It appears in groups after the second week.",
        "Torches change its path.",
        "It cannot climb ladders.",
        "Old saves may have more of them.",
        "It sleeps at noon.",
    ],
    "boss": ["A second visit is possible after 30 days.", "The door closes behind you."],
    "character": ["Gifts count once a day.", "Conversations differ when it rains above.", "Not at home on holidays."],
    "region": ["Bring spare rope.", "The map shows it only after the first visit.", "Echoes give away side passages."],
    "mechanic": ["Numbers are those of the normal difficulty.", "Mods may change this.", "The tutorial skips it."],
}
CHANGES = [
    "New icon",
    "Sound replaced",
    "Fixed a crash when two players pick it up at once",
    "Now shown in the book",
    "Texture drawn anew",
    "Balance changed slightly",
    "Can be traded",
    "Description corrected",
    "Works with controllers",
    "Fixed its shadow",
]


def blocks(text):
    """Records of a text: a list of (head line, [(letter, line), ...])."""
    found = []
    for line in text.strip().split("\n"):
        if line[:2] in ("@ ", "= "):
            found.append((line[2:], []))
        elif line.strip():
            found[-1][1].append((line[0], line[2:]))
    return found


def spin(text, rng):
    """Choose one wording of every [a|b|c]."""
    return re.sub(r"\[([^\[\]]*\|[^\[\]]*)\]", lambda m: rng.choice(m.group(1).split("|")), text)


class Deck:
    """Deals sentences of a pool in random order and starts again when the pool is used up."""

    def __init__(self, items, rng):
        self.items, self.rng, self.left = items, rng, []

    def deal(self, count=1):
        dealt = []
        while len(dealt) < min(count, len(self.items)):
            if not self.left:
                self.left = self.rng.sample(self.items, len(self.items))
            item = self.left.pop()
            if item not in dealt:
                dealt.append(item)
        return [spin(item, self.rng) for item in dealt]


def decks(text, rng):
    """Pools by (topic, letter)."""
    pools = collections.defaultdict(list)
    for head, lines in blocks(text):
        for letter, line in lines:
            if letter == "n":
                pools[head, "n"] += line.split("; ")
            else:
                pools[head, letter].append(line)
    return {key: Deck(items, rng) for key, items in pools.items()}


def proposal_rows():
    """The front matter of every proposal, oldest first, with its head line and own sentences."""
    rng = random.Random(1401)
    records = blocks(PROPOSALS)
    first, rest = records[0], records[1:]
    rng.shuffle(rest)
    rest.sort(key=lambda record: record[0].split(" | ")[0] in LATE)
    rows, number, begin, passed = [], 0, datetime.date(2019, 3, 4), 0
    weights = [1 + 9 / (1 + place * 0.5) for place in range(len(AUTHORS))]
    for place, (head, lines) in enumerate([first, *rest]):
        title, description, area, constants = head.split(" | ")
        number += 1 if place == 0 else rng.choice([1, 1, 1, 2, 2, 3, 4, 7])
        passed += rng.randint(3, 30)
        day = begin + datetime.timedelta(days=int(passed * 0.93))
        names = []
        while len(names) < rng.choice([1, 1, 1, 2, 2, 3]):
            name = rng.choices(AUTHORS, weights)[0]
            if name not in names:
                names.append(name)
        earlier = [r for r in rows if r["area"] in (area, "radio", "pairing", "discovery")]
        same = [r for r in earlier if r["area"] == area]
        needed = set()
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            pool = same if same and rng.random() < 0.6 else earlier
            if pool:
                needed.add(rng.choice(pool)["number"])
        age = place / len(records)
        status = rng.choices(
            ["Final", "Stagnant", "Withdrawn", "Draft", "Review", "Last Call"],
            [9, 6, 2.2, 0.4, 0.2, 0] if age < 0.6 else [4, 4, 2, 5, 3, 0.3] if age < 0.85 else [1, 1, 1, 9, 5, 3],
        )[0]
        status = STATUS.get(title, status)
        kind = "Meta" if area == "meta" else "Informational" if rng.random() < 0.08 else "Standards Track"
        created = day - datetime.timedelta(days=rng.choice([0, 0, 0, 0, 9, 41]))
        row = {
            "number": number,
            "title": title,
            "description": description,
            "area": area,
            "authors": names,
            "status": status,
            "type": kind,
            "category": CATEGORY[area] if kind == "Standards Track" else "",
            "created": created.isoformat(),
            "requires": sorted(needed),
            "reason": "",
            "deadline": "",
            "constants": [re.match(r"(\w+)=(.*?)::(.*)|(\w+)=(.*)", c).groups() for c in constants.split("; ")],
            "lines": lines,
        }
        if status == "Last Call":
            row["deadline"] = (day + datetime.timedelta(days=rng.randint(30, 70))).isoformat()
        rows.append(row)
    for place, row in enumerate(r for r in rows if r["status"] == "Withdrawn"):
        later = [r["number"] for r in rows if r["area"] == row["area"] and r["created"] > row["created"]]
        reason = REASONS[place % len(REASONS)]
        if "{other}" in reason and not later:
            reason = REASONS[1]
        row["reason"] = reason.format(other=rng.choice(later) if later else "")
    return rows


def byline(name, number):
    handle, mail = HANDLES[name]
    if mail and (number % 3 == 0 or not handle):
        return f"{name} (@{handle}) <{mail}>" if handle and number % 2 else f"{name} <{mail}>"
    return f"{name} (@{handle})" if handle else name


def snippet(row, rng):
    """A few lines of code that use the first constant of a proposal."""
    const = row["constants"][0][0] or row["constants"][0][3]
    verb = rng.choice(["check", "apply", "admit", "advance", "settle"])
    noun = re.sub(r"\W+", "_", row["title"].lower()).strip("_")
    forms = [
        f"def {verb}_{noun}(state, value, now):\n    if value > {const}:\n        return state.refuse(value)\n"
        f"    state.last_seen = now\n    return state.{verb}(value)",
        f"fn {verb}(frame: &Frame) -> Result<(), Reject> {{\n    if frame.value() > {const} {{\n"
        f'        return Err(Reject::OutOfRange);\n    }}\n    store("{noun}", frame)\n}}',
        f"enum {noun}_code {{ OK = 0, BUSY = 1, RANGE = 2, UNKNOWN = 255 }};\n\n"
        f"bool {verb}_{noun}(uint32_t v) {{ return v <= {const}; }}",
    ]
    lang = rng.randrange(3)
    return "```" + ["python", "rust", "c"][lang] + "\n" + forms[lang] + "\n```"


def proposal_text(row, pools, general, rng, titles):
    own = collections.defaultdict(list)
    for letter, line in row["lines"]:
        own[letter].append(line)
    area = row["area"]
    noun = rng.choice(pools[area, "n"].items)

    def deal(letter, count):
        article = "An" if noun[0] in "aeiou" else "A"
        dealt = [re.sub(r"\bAn? \{noun\}", f"{article} {noun}", s) for s in pools[area, letter].deal(count)]
        return [s.replace("{noun}", noun) for s in dealt]

    head = ["---", f"hip: {row['number']}", f"title: {row['title']}", f"description: {row['description']}"]
    head.append("author: " + ", ".join(byline(n, row["number"]) for n in row["authors"]))
    slug = re.sub(r"\W+", "-", row["title"].lower())
    head.append(f"discussions-to: https://forum.hearth.example/t/{slug}/{row['number'] * 13 + 207}")
    head.append(f"status: {row['status']}")
    if row["deadline"]:
        head.append(f"last-call-deadline: {row['deadline']}")
    head.append(f"type: {row['type']}")
    if row["category"]:
        head.append(f"category: {row['category']}")
    head.append(f"created: {row['created']}")
    if row["requires"]:
        head.append("requires: " + ", ".join(map(str, row["requires"])))
    if row["reason"]:
        head.append(f"withdrawal-reason: {row['reason']}")
    parts = ["\n".join([*head, "---"]), "## Abstract"]
    parts.append(
        spin(rng.choice(OPENINGS), rng).format(d=row["description"][0].lower() + row["description"][1:], t=row["title"])
        + " "
        + deal("a", 1)[0]
    )
    parts += ["## Motivation", " ".join(own["M"] + general["m"].deal(rng.choice([1, 2])))]
    parts.append("## Specification")
    parts.append(
        'The key words "MUST", "MUST NOT", "SHOULD" and "MAY" in this document are to be read as described '
        "in RFC 2119 and RFC 8174."
    )
    if row["requires"]:
        links = ", ".join(f"[HIP-{n}](./hip-{n}.md) ({titles[n]})" for n in row["requires"])
        parts.append(spin(rng.choice(BUILDS_ON), rng).format(links=links))
    table = ["| Parameter | Value | Meaning |", "| --- | --- | --- |"]
    for a, value, meaning, b, bare in row["constants"]:
        table.append(f"| `{a or b}` | {value or bare} | {meaning or 'upper bound'} |")
    parts.append("\n".join(table))
    parts += own["S"]
    parts.append(" ".join(deal("s", 2 if own["S"] else 3)))
    if rng.random() < 0.6:
        parts.append(snippet(row, rng))
    parts += ["## Rationale", *own["R"], " ".join(deal("r", 1) + general["r"].deal(1))]
    parts += ["## Backwards Compatibility", *(own["B"] or [" ".join(general["b"].deal(rng.choice([1, 2])))])]
    if rng.random() < 0.4:
        parts += ["## Test Cases", general["t"].deal(1)[0]]
    parts += ["## Security Considerations", *own["X"], " ".join(deal("x", 1 if own["X"] else 2))]
    parts += ["## Copyright", "Copyright and related rights waived via [CC0](../LICENSE.md)."]
    return "\n\n".join(parts) + "\n"


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def build_proposals(out):
    rows = proposal_rows()
    titles = {r["number"]: r["title"] for r in rows}
    rng = random.Random(1402)
    pools = decks(AREAS, rng)
    general = {k: Deck(v, rng) for k, v in GENERAL.items()}
    for row in rows:
        write(f"{out}/proposals/HIPS/hip-{row['number']}.md", proposal_text(row, pools, general, rng, titles))
    return rows


def milestones(status, day, rng):
    """Stage, latest milestone and the milestones of an enhancement."""
    start = 8 + (day.year - 2019) * 3 + day.month // 4 + rng.randint(0, 2)
    beta = start + rng.choice([1, 2, 2, 3])
    stable = beta + rng.choice([2, 2, 3, 4])
    if status == "provisional":
        return "alpha", "", {}
    if status == "implemented":
        return "stable", f"v1.{stable}", {"alpha": f"v1.{start}", "beta": f"v1.{beta}", "stable": f"v1.{stable}"}
    stage = rng.choice(["alpha", "alpha", "beta"])
    names = {"alpha": f"v1.{start}"}
    if stage == "beta" or rng.random() < 0.5:
        names["beta"] = f"v1.{beta}"
    return stage, names[stage], names


def enhancement_rows():
    rng = random.Random(1403)
    rows = []
    numbers = sorted(rng.sample(range(1004, 4990), len(blocks(ENHANCEMENTS))))
    records = blocks(ENHANCEMENTS)
    rng.shuffle(records)
    day = datetime.date(2019, 2, 11)
    for number, (head, lines) in zip(numbers, records):
        sig, title, gate, summary = head.split(" | ")
        age = len(rows) / len(records)
        status = rng.choices(
            ["provisional", "implementable", "implemented", "deferred", "withdrawn"],
            [6, 18, 34, 7, 7] if age < 0.7 else [22, 25, 2, 5, 5],
        )[0]
        status = KEP_STATUS.get(title, status)
        day += datetime.timedelta(days=rng.randint(12, 60))
        stage, latest, names = milestones(status, day, rng)
        people = rng.sample(PEOPLE[:14] if rng.random() < 0.7 else PEOPLE, rng.choice([3, 4, 5]))
        split = rng.choice([1, 1, 2])
        others = [s for s in SIGS if s != sig]
        path = f"sig-{sig}/{number}-{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')}"
        row = {
            "number": number,
            "title": title,
            "sig": sig,
            "gate": gate,
            "summary": summary,
            "lines": lines,
            "status": status,
            "stage": stage,
            "latest": latest,
            "milestone": names,
            "path": path,
            "created": day.isoformat(),
            "authors": people[:split],
            "reviewers": people[split:],
            "approvers": [CHAIRS[sig], *([CHAIRS["release"]] if rng.random() < 0.3 and sig != "release" else [])],
            "participating": sorted(rng.sample(others, rng.choice([0, 0, 1, 1, 2]))),
            "see": [],
            "replaces": [],
            "disable": rng.random() < 0.75,
            "metrics": [f"skiff_{re.sub(r'(?<=[a-z])(?=[A-Z])', '_', gate).lower()}_{rng.choice(METRIC_ENDS)}"]
            if rng.random() < 0.6
            else [],
        }
        near = [r["path"] for r in rows if r["sig"] == sig]
        if rng.random() < 0.35 and rows:
            row["see"] = sorted(rng.sample(near or [r["path"] for r in rows], 1))
        taken = [p for r in rows for p in r["replaces"]]
        old = [r["path"] for r in rows if r["sig"] == sig and r["status"] == "withdrawn" and r["path"] not in taken]
        if old and rng.random() < 0.6 and status not in ("withdrawn", "deferred"):
            row["replaces"] = [old[-1]]
        rows.append(row)
    return rows


def yaml_list(name, items):
    return [f"{name}:", *(f"  - {item}" for item in items)] if items else [f"{name}: []"]


def kep_yaml(row):
    lines = [f"title: {row['title']}", f"kep-number: {row['number']}"]
    lines += yaml_list("authors", [f'"@{p}"' for p in row["authors"]])
    lines.append(f"owning-sig: sig-{row['sig']}")
    lines += yaml_list("participating-sigs", [f"sig-{s}" for s in row["participating"]])
    lines += [f"status: {row['status']}", f"creation-date: {row['created']}"]
    lines += yaml_list("reviewers", [f'"@{p}"' for p in row["reviewers"]])
    lines += yaml_list("approvers", [f'"@{p}"' for p in row["approvers"]])
    if row["see"]:
        lines += ["", *yaml_list("see-also", [f'"/enhancements/{p}"' for p in row["see"]])]
    if row["replaces"]:
        lines += yaml_list("replaces", [f'"/enhancements/{p}"' for p in row["replaces"]])
    lines += ["", "# The target maturity stage in the current development cycle.", f"stage: {row['stage']}"]
    if row["latest"]:
        lines += ["", f'latest-milestone: "{row["latest"]}"', "", "milestone:"]
        lines += [f'  {name}: "{version}"' for name, version in row["milestone"].items()]
    lines += ["", "feature-gates:", f"  - name: {row['gate']}", "    components:"]
    lines += [f"      - {c}" for c in COMPONENTS[row["sig"]]]
    lines += [f"disable-supported: {str(row['disable']).lower()}"]
    if row["metrics"]:
        lines += ["", "metrics:", *(f"  - {m}" for m in row["metrics"])]
    return "\n".join(lines) + "\n"


def graduation(row, rng):
    parts = []
    for stage in ("Alpha", "Beta", "GA"):
        items = rng.sample(CRITERIA[stage], 3)
        parts.append(f"#### {stage}\n\n" + "\n".join(f"- {spin(i, rng).format(gate=row['gate'])}" for i in items))
    return "\n\n".join(parts)


def kep_readme(row, pools, rng):
    own = collections.defaultdict(list)
    for letter, line in row["lines"]:
        own[letter].append(line)
    sig = row["sig"]
    deal = lambda letter, count: pools[sig, letter].deal(count)
    bullets = lambda letter: "\n".join("- " + item for line in own[letter] for item in line.split("|"))
    story = spin(rng.choice(STORIES), rng).format(t=row["title"].lower(), g=row["gate"])
    parts = [f"# KEP-{row['number']}: {row['title']}"]
    parts.append(
        "\n".join(
            f"- [{t}](#{t.lower().replace(' ', '-')})"
            for t in ("Summary", "Motivation", "Proposal", "Design Details", "Drawbacks", "Alternatives")
        )
    )
    parts += ["## Summary", row["summary"] + " " + spin(rng.choice(SUMMARIES), rng).format(g=row["gate"])]
    parts += ["## Motivation", " ".join(own["M"] + deal("m", 1)), "### Goals", bullets("G")]
    parts += ["### Non-Goals", bullets("N")]
    parts += ["## Proposal", *(own["P"] or [spin(rng.choice(PLANS), rng).format(t=row["title"].lower())])]
    parts += ["### User Stories", story]
    parts += ["### Risks and Mitigations", " ".join(own["K"] + deal("r", 1))]
    parts += [
        "## Design Details",
        " ".join(own["D"] + deal("d", 2)),
        f"The behaviour is guarded by the feature gate `{row['gate']}`.",
    ]
    parts += ["### Test Plan", spin(rng.choice(TESTS), rng), "### Graduation Criteria", graduation(row, rng)]
    parts += ["### Version Skew Strategy", spin(rng.choice(SKEWS), rng)]
    parts += ["## Drawbacks", " ".join(deal("w", 1)), "## Alternatives", " ".join(own["A"] or deal("a", 1))]
    return "\n\n".join(parts) + "\n"


def build_enhancements(out):
    rows = enhancement_rows()
    rng = random.Random(1404)
    pools = decks(SIG_POOLS, rng)
    for row in rows:
        write(f"{out}/enhancements/{row['path']}/README.md", kep_readme(row, pools, rng))
        write(f"{out}/enhancements/{row['path']}/kep.yaml", kep_yaml(row))
    return rows


def page(name):
    return re.sub(r"[^\w-]+", "_", name.replace("'", "")) + ".md"


def link(text, names, here):
    """Turn [Name] into a link where a page of that name exists."""

    def one(match):
        name = match.group(1)
        if name not in names:
            raise ValueError(f"no page {name} for {here}")
        return name if name == here else f"[{name}]({page(name)})"

    return re.sub(r"\[([A-Z][^\[\]]*)\](?!\()", one, text)


def wiki_rows():
    rows = []
    for head, lines in blocks(WIKI):
        name, kind, fields = head.split(" | ")
        row = {"name": name, "kind": kind, "fields": [f.split("=", 1) for f in fields.split("; ")]}
        row.update({letter: text for letter, text in lines})
        if "C" in row:
            what, rest = row["C"].split(" @ ")
            row["station"], row["yields"] = rest.split(" > ")
            row["recipe"] = [(i.split("×")[0], int(i.split("×")[1])) for i in what.split(", ")]
        rows.append(row)
    return rows


def wiki_page(row, names, rng, tools):
    name = row["name"]
    ref = lambda text: link(text, names, name)
    kind = {"drop": "Material", "crafted": "Crafted item", "material": "Raw material"}.get(
        row["kind"], row["kind"].capitalize()
    )
    box = [f"| {name} | |", "| --- | --- |", f"| Type | {kind} |"]
    box += [f"| {key} | {ref(value)} |" for key, value in row["fields"]]
    parts = [f"# {name}", "\n".join(box), ref(spin(rng.choice(INTROS[row["kind"]]), rng).replace("{n}", name))]
    if "O" in row:
        parts += ["## Obtaining", ref(row["O"])]
    elif row["kind"] in ("material", "drop", "block") and "recipe" not in row:
        where = dict(row["fields"])
        source = where.get("Found in") or where.get("Dropped by")
        pool = "find" if "Found in" in where else "drop"
        parts += ["## Obtaining", ref(spin(tools[pool].deal(1)[0], rng).replace("[{s}]", source))]
    if "recipe" in row:
        rows = ["| Ingredient | Amount |", "| --- | --- |"]
        rows += [f"| {ref('[' + i + ']')} | {n} |" for i, n in row["recipe"]]
        station = "by hand" if row["station"] == "by hand" else "at the " + ref("[" + row["station"] + "]")
        parts += ["## Crafting", f"Crafted {station}. One craft yields {row['yields']}.", "\n".join(rows)]
    title = {
        "creature": "Behaviour",
        "boss": "Strategy",
        "character": "Services",
        "region": "Description",
        "mechanic": "Rules",
    }.get(row["kind"], "Usage")
    parts += [f"## {title}", ref(row["U"]), ref(" ".join(tools["tip", row["kind"]].deal(1)))]
    if "T" in row:
        parts += ["## Trivia", "- " + row["T"]]
    changes = [c.split(": ") for c in row["H"].split("|")] if "H" in row else history(row, rng, tools)
    parts += [
        "## History",
        "\n".join(["| Version | Change |", "| --- | --- |", *(f"| {v} | {c} |" for v, c in changes)]),
    ]
    return "\n\n".join(parts) + "\n"


def history(row, rng, tools):
    since = dict(row["fields"]).get("Since")
    first = VERSIONS.index(since) if since else rng.randrange(8)
    changes = [(VERSIONS[first], "Added")]
    later = rng.sample(range(first + 1, len(VERSIONS)), min(rng.choice([0, 1, 1, 2]), len(VERSIONS) - first - 1))
    return changes + [(VERSIONS[v], tools["change"].deal(1)[0]) for v in sorted(later)]


def build_wiki(out):
    rows = wiki_rows()
    rng = random.Random(1405)
    names = {r["name"] for r in rows}
    tools = {"find": Deck(FIND, rng), "drop": Deck(DROP, rng), "change": Deck(CHANGES, rng)}
    for kind in INTROS:
        tools["tip", kind] = Deck(TIPS.get(kind, TIPS["item"]), rng)
    for row in rows:
        write(f"{out}/wiki/{page(row['name'])}", wiki_page(row, names, rng, tools))
    for part in re.split(r"^@ ", ZH.strip(), flags=re.M)[1:]:
        title, text = part.strip().split("\n", 1)
        text = re.sub(r"\n(## .*)\n", r"\n\n\1\n\n", text)
        write(f"{out}/wiki/产品文档/{title}.md", f"# {title}\n\n{text}\n")
    return rows


def build(out):
    return build_proposals(out), build_enhancements(out), build_wiki(out)


def closure(rows, number):
    """Everything that a proposal requires, directly or through others."""
    by_number = {r["number"]: r for r in rows}
    seen, todo = set(), list(by_number[number]["requires"])
    while todo:
        other = todo.pop()
        if other not in seen:
            seen.add(other)
            todo += by_number[other]["requires"]
    return sorted(seen)


def named(row):
    """Ways to name a proposal; a number below 20 needs its prefix, since it could be any figure."""
    number = row["number"]
    ways = [f"HIP-{number}", f"HIP {number}", row["title"]]
    return [str(number), *ways[2:]] if number >= 20 else ways


def computed(hips, keps, items):
    """Gold of the questions over a whole folder: {id: (facts of all that belongs in the answer, gold files)}."""
    gold = {}

    def hip_set(name, rows, lead=()):
        gold[name] = ([*lead, *(named(r) for r in rows)], [f"HIPS/hip-{r['number']}.md" for r in rows])

    def kep_set(name, rows, lead=()):
        gold[name] = (
            [*lead, *([str(r["number"]), r["title"], r["gate"]] for r in rows)],
            [f"{r['path']}/kep.yaml" for r in rows],
        )

    def item_set(name, rows, lead=()):
        gold[name] = ([*lead, *([r["name"]] for r in rows)], [page(r["name"]) for r in rows])

    by_number = {r["number"]: r for r in hips}
    final = [r for r in hips if r["status"] == "Final"]
    gold["all-01"] = ([[str(len(final))]], [f"HIPS/hip-{r['number']}.md" for r in final])
    hip_set("all-02", sorted(hips, key=lambda r: r["created"])[-3:])
    hip_set("all-03", [r for r in hips if re.search(r"\bscene\b", r["title"], re.I)])
    hip_set("all-04", [by_number[n] for n in closure(hips, 367)])
    counts = collections.Counter(a for r in hips for a in r["authors"])
    first, many = counts.most_common(1)[0]
    gold["all-05"] = ([[first], [str(many)]], [f"HIPS/hip-{r['number']}.md" for r in hips if first in r["authors"]])
    busy = [a for a, n in counts.most_common() if n > 12]
    gold["all-06"] = (
        [[a] for a in busy],
        [f"HIPS/hip-{r['number']}.md" for r in hips if set(busy) & set(r["authors"])],
    )
    hip_set("all-07", [r for r in hips if r["status"] == "Last Call"])
    gone = [r for r in hips if r["status"] == "Withdrawn" and "patent" in r["reason"]]
    hip_set("all-08", gone)
    hip_set("all-09", [r for r in hips if 67 in r["requires"]])
    kep_set("all-10", [r for r in keps if r["sig"] == "storage" and r["status"] == "provisional"])
    done = [r for r in keps if r["status"] == "implemented"]
    gold["all-11"] = ([[str(len(done)), "twenty-two"]], [f"{r['path']}/kep.yaml" for r in done])
    kep_set("all-12", [r for r in keps if r["milestone"].get("stable") == "v1.25"])
    kep_set("all-13", [r for r in keps if r["status"] == "deferred"])
    kep_set("all-14", [r for r in keps if "storage" in r["participating"] and r["status"] == "withdrawn"])
    item_set("all-15", [r for r in items if any(i == "Ember Salt" for i, _ in r.get("recipe", []))])
    item_set("all-16", [r for r in items if r["kind"] == "boss"])
    item_set("all-17", [r for r in items if r.get("station") == "Loom"])
    fields = [dict(r["fields"]) for r in items]
    epic = [r for r, f in zip(items, fields) if f.get("Rarity") == "Epic" and "Dropped by" in f]
    item_set("all-18", epic)
    return gold


DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
QUOTES = {ord("‘"): "'", ord("’"): "'", ord("“"): '"', ord("”"): '"'}


def norm(text):
    text = re.sub(r"[*`]+", "", text.translate(DASHES).translate(QUOTES))
    return re.sub(r"\s+", " ", text).strip().lower()


def has(text, piece):
    """Is a fact stated in a text? Digits must not run on, short words must stand alone."""
    text, piece = norm(text), norm(piece)
    pattern = re.escape(piece)
    if piece[0].isdigit():
        pattern = r"(?<![\d])(?<!\d[.,])" + pattern
    if piece[-1].isdigit():
        pattern += r"(?!\d)(?![.,]\d)"
    if re.fullmatch(r"[a-z]{1,4}", piece):
        pattern = r"(?<![a-z])" + pattern + r"(?:s|es)?(?![a-z])"
    return re.search(pattern, text) is not None


KEYS = ("id", "corpus", "question", "lang", "kind", "answerable", "facts", "gold_files", "note")


def read_all(folder):
    """The texts of a folder by path."""
    texts = {}
    for root, _, files in os.walk(folder):
        for name in files:
            with open(f"{root}/{name}", encoding="utf-8") as file:
                texts[os.path.relpath(f"{root}/{name}", folder)] = file.read()
    return texts


def faults(out, rows, gold):
    """What is wrong with the questions, as lines of text."""
    seen = set()
    corpora = {name: read_all(f"{out}/{name}") for name in ("proposals", "enhancements", "wiki")}
    for row in rows:
        name, facts = row["id"], row["facts"]
        if set(row) - {"must_not"} != set(KEYS) or name in seen or norm(row["question"]) in seen:
            yield f"{name}: keys, or the same question twice"
        seen |= {name, norm(row["question"])}
        if not row["answerable"] == bool(facts) == bool(row["gold_files"]) or len(facts) > 4:
            yield f"{name}: facts or gold files do not fit"
        texts = []
        for path in row["gold_files"]:
            texts.append(corpora[row["corpus"]][path])
        if row["kind"] == "whole_folder":
            all_facts, files = gold[name]
            if any(f not in all_facts for f in facts) or sorted(files) != sorted(row["gold_files"]):
                yield f"{name}: differs from the computed gold"
        else:
            yield from (f"{name}: in no gold file: {f}" for f in facts if not any(has(t, a) for a in f for t in texts))
        yield from (f"{name}: {a!r} is in the question" for f in facts for a in f if has(row["question"], a))
        wrong = row.get("must_not", [])
        yield from (
            f"{name}: must_not {m!r} is in a gold file"
            for m in wrong
            if any(has(t, m) for t in texts) and row["kind"] != "whole_folder"
        )


def elsewhere(out, rows):
    """Files beyond the gold ones that hold all the facts of a question: where an answer could be right by accident."""
    for row in rows:
        if row["kind"] != "whole_folder" and row["facts"]:
            texts = read_all(f"{out}/{row['corpus']}")
            others = [
                p
                for p, t in sorted(texts.items())
                if p not in row["gold_files"] and all(any(has(t, a) for a in f) for f in row["facts"])
            ]
            if others:
                yield f"{row['id']}: {', '.join(others)}"


def check(out, hips, keps, items):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(f"{here}/questions.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for field in ("kind", "corpus", "lang"):
        print(field, dict(sorted(collections.Counter(r[field] for r in rows).items())))
    problems = list(faults(out, rows, computed(hips, keps, items)))
    print(len(rows), "questions,", len(problems), "problems", *problems, sep="\n")
    print("all facts also in:", *elsewhere(out, rows), sep="\n")
    return bool(problems)


if __name__ == "__main__":
    built = build(sys.argv[1])
    sys.exit(check(sys.argv[1], *built) if "--check" in sys.argv else 0)
