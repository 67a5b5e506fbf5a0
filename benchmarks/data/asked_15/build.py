"""Write the four invented folders of asked_15 and check its questions.

    python build.py OUT            # writes OUT/standards, OUT/services, OUT/wiki and OUT/手册
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

STANDARDS = r"""
@ 100 How a Note Is Written and Decided | process | A Proc
Boats outlive software, and the bargees who joined our first meeting wanted a paper trail that outlives both.
S Anyone may open a note. It begins as Proposed, and two editors other than its own must agree before it turns Active. A note is Parked when its editor goes silent for ninety days. Retired notes keep their number for ever.
R Voting by all members was tried for half a year and dropped, because the eleven upper Rhine operators voted as one and nobody else bothered to turn up.
@ 101 Terms Used in the Series | process | A Proc <100
Half of our early quarrels turned out to be about words.
S A pound is the stretch of water between two locks. A winding hole is a widening where a boat can turn round. A gongoozler is a bystander; the term is used in the privacy notes, where it matters.
@ 102 Duties of Note Editors | process | A Proc <100
An editor keeps a note readable; an editor does not own it.
S Editors answer questions within three weeks, merge corrections that change no meaning, and step down in writing. A note without an editor for two months is offered on the mailing list and then Parked.
@ 103 Numbering and Withdrawal of Notes | process | T Proc <100 >218
Numbers used to be taken by whoever wrote an e-mail first, which led to two notes called 97.
S Numbers are drawn by the registrar. A withdrawn note leaves a stub that says who withdrew it.
@ 104 Vessel Numbers | identity | A Core
A hull needs a name that survives sale, repainting and a change of flag.
S A vessel number has nine digits: two for the issuing office, six that are drawn without order, and a check digit computed modulo 97. It is burnt into the hull at the stern and never reissued, not even after scrapping.
R Reusing the European vessel identification number was considered. It is only given to commercial hulls above twenty metres, and two thirds of our fleet are shorter.
@ 105 Waterway Segments and Nodes | routing | A Core
Everything that speaks about where a boat goes needs the same map underneath.
S A segment joins two nodes and has a length in metres, a gauge class and a direction of flow. Nodes are locks, junctions, basins and borders. Segment identifiers are stable: when a channel is straightened the old identifier is closed and two new ones are opened.
@ 106 Plain Text Message Frame | messages | T Core >164
The first machines on the network were teleprinters in lock huts, and they could print sixty-four columns.
S A frame is a line of capital letters that begins with ZCZC and ends with NNNN. Fields are parted by slashes. A frame longer than 480 characters is cut by the sender and numbered.
@ 107 Lock Identifiers | locks | A Core <105
Lock keepers know their locks by the name of the nearest pub, which is charming and useless.
S An identifier is the code of the waterway, a hyphen, and the count from the sea upwards. Twin chambers share a number and differ by a letter, A being the one on the left bank.
@ 108 Hydrostatic Gauge Readings | water | A Core
A gauge that is read twice a day by a person and one that is read by a wire must mean the same thing by "level".
S Readings are in millimetres above the local datum and carry the age of the reading in seconds. A reading older than 5400 seconds is shown in grey and must not feed a draught computation.
@ 109 Mooring Berth Register | mooring | A Core <105
Harbour masters kept their berths in notebooks, and two of the notebooks got wet.
S A berth has a length, a depth at lowest water, a list of bollards and a note on shore power. The register is kept by the harbour and copied every night; the copy is authoritative when the harbour is closed.
@ 110 Toll Units | tolls | T Core >171
Tolls were quoted per tonne, per lock, per passage and in one valley per horse.
S One unit is the passage of one empty hull of class III through one chamber. All other tariffs are expressed as multiples.
@ 111 Distress Call Relay | safety | A Core <106
A skipper in trouble should not need to know which authority owns the bank.
S Any station that hears a distress call repeats it on channel 10 and forwards it to both neighbours within twenty seconds. A relay is acknowledged by the rescue centre alone; other stations stay silent until then.
@ 112 Shared Keys for Lock Huts | security | T Core >176
Keys used to be handed round on a slip of paper at the spring meeting.
S Each pair of neighbouring huts shares one key that is exchanged every first Monday. A hut that has missed two exchanges goes off the network.
@ 113 Shortest Passage Routing | routing | T Core <105 >158
Skippers asked one question above all: which way is quicker today.
S The route is the one with the least sum of segment times. A segment time is its length divided by the usual speed of its gauge class, plus eleven minutes for each chamber.
@ 114 Chamber Cycle Reports | locks | A Core <107
Operators wanted to know how often a chamber runs half empty.
S A chamber reports each cycle with the time of closing, the count of hulls and the volume of water spent. Reports are kept for six years and may be published with the hulls removed.
@ 115 Character Set for Names | messages | A Core
Names of boats carry accents, and in two valleys they carry Cyrillic.
S All names are UTF-8 in normal form C, at most 60 bytes. A display that cannot show a letter shows a raised dot and never a question mark, as a question mark means an unknown vessel on the radar.
@ 116 Test Harbour | testing | A Prac
A harbour that does not exist is the best place to make mistakes.
S The test harbour has the waterway code ZZ, four locks and one berth on fire. Systems must accept messages from ZZ and must never show them to skippers.
@ 117 Ice Bulletins | safety | A Core <105
Ice closes a canal more surely than any decree.
S The scale has five steps, from brash ice to closed. A bulletin lapses after 36 hours, and a lapsed bulletin is shown as unknown rather than open.
@ 118 Crew Lists | identity | K Core <104
Immigration asked for crew lists and the unions asked what else they would be used for.
S A list names each person aboard and their papers. The draft ends here, since no agreement on retention was reached.
@ 119 Draught and Air Draught | routing | A Core <105
A boat is too deep or too high, and it is usually both after rain.
S Draught is stated for the deepest point with full tanks, air draught for the highest fixed point with the mast down. Both are in centimetres and are rounded away from safety: up, never down.
@ 120 Berth Booking Requests | mooring | T Core <109 >182
Three telephone calls for one night at a quay are two too many.
S A request names the vessel, the berth and the hour of arrival. The harbour answers yes, no or later. A booking without arrival lapses after ninety minutes.
@ 121 Low Bridge Warnings | safety | A Core <119
The swing bridge at Oudewater was hit five times in a single summer.
S A warning is sent when the air draught of an approaching hull exceeds the clearance less 25 centimetres. The bridge keeper and the skipper both get it; silence from either turns the signal red.
@ 122 Passage Receipts | tolls | A Core <110
A receipt is worth more than the toll when the auditor comes.
S A receipt bears the vessel number, the chamber, the time and the tariff applied. It is signed by the hut and printed on request, on paper that is at most 58 millimetres wide.
@ 123 Radio Silence Windows | messages | X Exp <106
It was proposed to keep the band free for ten minutes each hour.
S Stations hold back all but distress traffic from minute 50 to minute 60.
R Rejected in a meeting of forty minutes: the rescue services already had a channel of their own, and the windows would have delayed ice bulletins.
@ 124 Flood Wave Forecast Exchange | water | A Core <108
The water that drowns a quay passed somebody else's gauge a day earlier.
S A forecast is a list of hours and levels with a band of uncertainty. The upstream authority sends it every three hours, and every thirty minutes once the second alarm mark is passed.
@ 125 Position Beacons for Small Craft | identity | A Core <104
A rowing boat has no transponder and needs none, but the lock keeper would still like to know that it is there.
S A beacon repeats a hull number and a position each forty seconds at 25 milliwatts. Beacons are voluntary below seven metres, and the register of their owners is sealed.
@ 126 Detours Around Closed Segments | routing | T Core <105,113 >158
A closed lock made the old planner hand out routes through a drained pound.
S A closed segment has infinite cost. The planner offers at most three detours and names the closure that caused them.
@ 127 Lock Queue Announcements | locks | T Core <107,114 >187
Waiting is bearable when its end is known.
S The hut announces the queue each quarter of an hour as a list of hulls in order. A hull that does not answer twice loses its place to the next.
@ 128 Mutual Recognition of Licences | process | A Proc <102
A licence from one valley used to end at the watershed.
S Licences of all members are valid everywhere except on tidal water. An authority may ask for local knowledge on at most two segments, and lists them here.
@ 129 Bollard Load Ratings | mooring | A Core <109
A bollard came off the quay at Tarn with a coal barge still tied to it.
S A bollard is rated in kilonewtons and tested every eight years. Untested ones count as 30 kilonewtons, and the register marks them with a hollow ring.
@ 130 Clock Discipline at Huts | messages | A Core
Two huts that disagree about the time disagree about who came first.
S Clocks follow coordinated universal time and may be wrong by two seconds. A hut that cannot reach a time source says so in each frame, and its entries carry a tilde.
@ 131 Dangerous Goods Placards | safety | A Core <104
Cones are for eyes; machines need a field.
S The field repeats the number of blue cones, zero to three. A hull with two cones or more is locked through alone, with the exception of a tug that belongs to it.
@ 132 Winter Level Agreements | water | A Prac <108
Each autumn the pounds are lowered, and each autumn somebody runs aground.
S Target levels are agreed by 15 September and published for every pound. A pound that is more than eight centimetres below target is reported once a day until it is not.
@ 133 Tidal Windows | routing | A Core <105,119
At the sea lock the river has the last word.
S A window is a pair of times between which a given draught may pass the sill. Planners treat a missed window as a wait and not as a closure.
@ 134 Signed Frames | security | T Core <106,112 >176
A forged closure cost the grain fleet a weekend.
S Each frame ends with a code of eight characters computed over the rest. Old printers show it as noise.
@ 135 Rebates for Return Cargo | tolls | A Core <110
Empty boats wear out locks just like full ones, but nobody earns a living from them.
S A hull that comes back loaded within ten days is charged 60 percent of the way home. The rebate belongs to the vessel, not the owner, so that it survives a sale.
@ 136 Night Passage Lights | safety | A Core
A white light means ask, a green one means come.
S Chambers worked at night show two green lights one above the other. A single green light is left to bridges.
@ 137 Archive of Retired Notes | process | A Proc <103
The reasons of the dead are useful to the living.
S The archive keeps every version of every note, with the mails that led to it. Nothing is taken out except under a court order, of which there has been one.
@ 138 Speed Limits by Bank Type | routing | A Core <105
Wash eats banks, and clay banks are eaten first.
S Limits are 6 kilometres an hour along clay, 9 along stone and 12 along steel sheet. A planner uses the limit as the speed when it is the lower one.
@ 139 Lock Reservation by Tariff | locks | X Core <107,110
Two operators wished to sell the front of the queue.
S A hull that pays triple is moved ahead of all that do not.
R Rejected because the right of free passage in the treaty of 1868 knows no classes of payer. The committee noted that a reservation without money, on the other hand, would be welcome.
@ 140 Compact Binary Frame | messages | K Exp <106
Radio time is scarce in the gorge, and slashes are a waste of it.
S Fields become tags of four bits. A frame of the ice bulletin shrinks from 212 to 61 bytes. Two of three decoders disagreed on the padding, and the editor moved to another employer.
@ 141 Visitor Moorings | mooring | T Core <109 >182
A visitor should not need a friend in the harbour office.
S A tenth of the berths is held for visitors until 18:00 each day. After that they are free for all.
@ 142 Sediment Surveys | water | A Prac <108,119
The bottom moves, and the chart does not.
S A survey is due every four years and after any flood above the third alarm mark. Depth is given for the worst square metre in each block of 100.
@ 143 Emergency Closure Orders | safety | A Core <111,107
When a gate fails, the next five boats must know within the minute.
S A closure order outranks all other traffic. It names its author, and only that author or the rescue centre may lift it. Orders have no end date, since an order that ends by itself has once ended too early.
@ 144 Trip Plans | routing | A Core <105,133
A plan filed in advance lets lock keepers go home on time.
S A trip plan is a list of nodes with hours. It may be changed until two hours before the first lock; later changes are treated as new plans.
@ 145 Anonymous Traffic Counts | security | A Core <104,114
Planners want counts and skippers want to be left alone.
S Counts are released for hours with at least five hulls. Hours with fewer are merged with the next until the number is reached.
@ 146 Lock Keeper Handover Log | locks | A Prac <107
The night man knows something that the morning woman should.
S The log is written before the keys change hands and names every fault by its tag. A blank log is not accepted: the entry then reads "nothing, and I looked".
@ 147 Name Changes of Vessels | identity | A Core <104,115
It is said to bring ill luck, yet it happens weekly.
S The register keeps all former names for fifteen years. A name given up may be taken by another hull after three years in a different valley.
@ 148 Prepaid Toll Accounts | tolls | A Core <110,122
Coins freeze to the counter in January.
S An account is tied to a vessel, holds at most 2,500 crowns and may go negative once, by one passage. Money left over when a hull is scrapped goes to the seamen's mission.
@ 149 Horn Signals Transcribed | messages | X Exp <106
The idea was to send horn signals as text for deaf crews.
S A microphone at each hut turns long and short blasts into L and S.
R Rejected after a trial at two locks, where the microphones took a flock of geese for a convoy. The deaf crews themselves preferred a flashing lamp.
@ 150 Pump Station Telemetry | water | A Core <108
A pump that has stopped tells nobody.
S A station sends a heartbeat each minute with current, head and hours run. Three missed heartbeats ring the bell at the duty desk.
@ 151 Inspection of Lock Gates | locks | A Prac <107
Gates fail at the heel post, below the water, where no one looks.
S Divers inspect each gate every third winter. Findings are graded from one to five, and grade five closes the chamber on the same day.
@ 152 Test Vectors | testing | A Prac <104,106,116
Two programs that agree on paper often disagree on the wire.
S The collection holds 318 frames with the meaning of each, among them 40 that must be refused. It may be copied without asking.
@ 153 Fuel Quay Prices | tolls | X Exp <109
Small ports wished to publish the price of diesel over the network.
S A price frame is sent each morning and holds for a day.
R Rejected on the advice of the competition office, which saw in it a way of agreeing on prices. It was not resubmitted.
@ 154 Convoys and Pushed Barges | identity | A Core <104
A pusher with six barges is one thing to the lock and seven to the customs.
S A convoy has a number of its own while it lasts. It is announced by the pusher, dissolved by it, and dies by itself 12 hours after the last message.
@ 155 Wind Limits for High Hulls | safety | A Core <119
Empty container boats sail sideways.
S Above 14 metres a second hulls with an air draught of more than seven metres wait. The limit is 17 where a wind wall stands.
@ 156 Bank Holidays | process | K Proc <128
Working hours differ by valley and nobody keeps the list.
S Each authority lists its holidays for two years ahead. Parked when the only authority that had agreed was dissolved.
@ 157 Waiting Berths at Locks | mooring | A Core <107,109
Waiting boats drift, and drifting boats meet.
S A lock with more than four passages an hour keeps two waiting berths on each side, which may be used for six hours at most. Sleeping there is tolerated; barbecues are not.
@ 158 Time Dependent Routing | routing | A Core <105,119,133
One sum of times for the whole day sent everybody into the evening queue.
S Segment costs are functions of the hour. Planners must use the queue length at the time of arrival rather than now, and must say which figure was forecast. A route that is at most four minutes slower but has two chambers fewer is offered first.
R Live positions of all hulls would have given better forecasts. They were left out at the wish of the small craft clubs.
@ 159 Relay Through Moving Vessels | messages | P Exp <106,125
In the gorge the only mast for miles is the one on the next boat.
S A vessel may carry up to twelve frames for others and hands them over at the next hut. It earns nothing by it.
@ 160 Revocation of Keys | security | A Core <112
A lost key used to be a lost season.
S A revocation is sent to all huts at once and repeated daily for a fortnight. Huts refuse the key from the first copy on, whatever the sender says.
@ 161 Sluice Opening Rates | water | A Core <108,114
Opening a sluice quickly saves three minutes and breaks a crockery shelf.
S The paddle is raised by a quarter, then held for forty seconds. In chambers deeper than six metres the hold is doubled.
@ 162 Passenger Counts on Trip Boats | safety | P Core <104
After the Lindau fire nobody could say how many had been aboard.
S The count is sent on casting off and again on arrival; a difference raises an alarm. Children in arms count.
@ 163 Lost Cargo Notices | safety | A Core <111
A container that floats is a rock that moves.
S A notice gives the last sighting, the drift and the colour. It is repeated hourly until somebody reports the thing ashore.
@ 164 Structured Message Frame | messages | A Core <115,130
The line of capitals had been stretched until it broke, and eleven dialects were in use.
S A frame is a JSON object with the fields kind, from, at and body. Unknown fields are kept and passed on. A frame is at most 16 KiB, and a hut answers a larger one with the code TOO-LONG.
R XML was favoured by two vendors. It lost to the wish of the hut programmers, who had to debug on a display of four lines.
@ 165 Toll Exemptions | tolls | A Core <110
Fire boats have never paid, and now it is written down.
S Fire, rescue, survey and school boats are exempt, as are hulls built before 1920. An exemption is a field of the register and not a gesture at the window.
@ 166 Shore Power Sockets | mooring | A Core <109
Three plugs were in use along one river.
S Quays offer 16 and 63 ampere sockets with a residual current device. A boat that draws less than a hundred watts for a day is taken to have left its cable behind.
@ 167 Quiet Hours in Harbours | mooring | A Prac <109
Generators are loudest to those who do not own them.
S From 22:00 to 06:30 engines stay off at berths with a socket. Frozen cargo is exempt.
@ 168 Duplicate Hull Detection | identity | A Core <104,125
The same number was once seen at both ends of the country within the hour.
S Two sightings that would need more than 30 kilometres an hour raise a duplicate alarm. Both hulls keep their rights until an officer has looked at the stern.
@ 169 Routing Under Low Water | routing | A Core <108,119
In the dry August of 2018 the planner sent laden boats over the Halm bar.
S A segment is barred to a hull when its draught plus thirty centimetres exceeds the depth. The margin is forty on rock. Forecast depths older than a day are not used.
@ 170 Interoperability Days | testing | A Prac <116,152
Twice a year people bring their boxes to one room.
S The days are held in March and October. Results are published without names unless the vendor agrees, and a box that fails five vectors in a row goes home early.
@ 171 Distance Based Tolls | tolls | A Core <105,122
A toll by the chamber made the mountain valleys pay for all the others.
S The toll is the distance in kilometres times the weight class, with a floor of three crowns. Chambers are free. Authorities get the toll by the length of their segments.
@ 172 Swing Bridge Schedules | locks | A Core <107
Road traffic has a timetable, and so must the bridge.
S Openings are published for the week and may not be advanced. A bridge may delay by seven minutes for an ambulance without asking.
@ 173 Audible Alarms in Wheelhouses | safety | P Core <121
When everything beeps nothing is heard.
S Only four alarms may sound: collision, grounding, closure and man overboard. All others blink.
@ 174 Message Priorities | messages | A Core <164
A weather chart held up a closure order for nine minutes.
S There are four levels. A higher one interrupts a lower one between frames and never inside of one. Charts and pictures are always at the lowest level.
@ 175 Wreck Markings | safety | A Core <163
Green over red, and nobody remembered which side to pass.
S A wreck has a virtual mark for the first 72 hours and a buoy afterwards. The virtual mark carries the side to pass as a word.
@ 176 Certificates for Stations | security | A Core <160,164
Shared keys had reached the point at which four hundred people knew them.
S Each station has its own key pair and a certificate with a life of 400 days. The root is kept by three members in three countries, and two of them suffice to sign.
R Certificates from public web authorities were turned down: their rules ask for a domain name, and a lock hut has none.
@ 177 Fish Ladders and Spawning Closures | water | A Prac <132
Salmon do not file trip plans.
S Between 1 April and 10 June the night cycles of listed chambers are left to the fish. Exceptions need the signature of the river biologist.
@ 178 Recorded Voice Announcements | messages | K Exp <164
Some skippers read badly and all of them hear well.
S Frames of the upper two levels are read out by a voice in the language of the crew. Parked until somebody pays for the Romanian voice.
@ 179 Harbour Congestion Index | mooring | P Core <109,144
Nobody wants to arrive at a full harbour at dusk.
S The index is the share of berths taken, weighted by the trip plans of the next four hours. It has ten steps and is sent each half hour.
@ 180 Routing for Wide Loads | routing | A Core <105,126
A transformer of nine metres width came to a bridge of eight.
S A wide load has its own permit, lists its segments, and bars them for meeting traffic. The plan is checked by hand, always, by two people who did not draw it.
@ 181 Chamber Filling Without Electricity | locks | A Prac <161
When the mains fail a lock is still a lock.
S Each chamber keeps two windlasses and a printed card. The drill is held each May and the time taken is logged; the record stands at thirteen minutes.
@ 182 Berth Allocation Service | mooring | A Core <109,164
Bookings, visitor places and waiting lists had grown into three systems that contradicted one another.
S A harbour offers berths for a time; a vessel takes one of them. An offer stands for twenty minutes. Overstaying costs double after the first hour and the berth after the fifth.
@ 183 Proof of Payment by Radio | security | X Core <122,134
Inspectors would have read receipts off a passing boat.
S The wheelhouse answers a challenge with the last receipt.
R Rejected since the answer could be recorded and replayed by another hull, and the fix needed a clock that half the fleet does not have.
@ 184 Level Sensors Made of Wood | water | X Exp <108
The staff with painted marks is cheap and lasts eighty years.
S A camera reads the staff and sends the level.
R Rejected as a standard but kept as advice; the panel felt that a camera is none of our business and the staff has been standard since Roman times.
@ 185 Accessible Lock Instructions | locks | P Prac <107
Instructions were written for people who already knew.
S Each lock offers its steps as pictures and in plain words of at most twelve to the sentence. Both are tested with three people who have never worked a lock.
@ 186 Cross Border Routing | routing | A Core <105,158
Planners on either side of a frontier used to stop at the middle of the bridge.
S The border node belongs to both maps. Each side computes its part and passes on the hour of arrival; customs adds a fixed 35 minutes unless the hull is sealed.
@ 187 Fair Lock Queueing | locks | A Core <107,114,174
Under the old rule the fastest engine won, and the slow boats waited all day.
S Places are given by the hour at which a hull passed the advance mark, two kilometres out. Passenger boats on a timetable may jump once. Hulls below seven metres share a cycle and are called when the chamber has room.
@ 188 Weather Warnings by Waterway | safety | A Core <111,174
Official warnings name counties, and a boat is never in a county.
S Warnings are cut along segments. A warning for a node holds for all segments that meet there, and expires with its source.
@ 189 Frame Compression | messages | P Core <164
The links to the islands are billed by the kilobyte.
S Bodies above one kilobyte may be compressed with the method deflate and a shared dictionary of 14 KiB. Distress frames are never compressed.
@ 190 Digital Hull Plates | identity | P Core <104,176
A brass plate can be unscrewed.
S The plate holds a certificate and a coil; a phone held close shows the number and when it was last seen. Plates are riveted and glued, and removing one breaks the coil.
@ 191 Wake Complaints | process | X Proc <138
Anglers asked for a register of complaints.
S A complaint names the hull, the place and the height of the wake.
R Rejected: the height cannot be proven, and the register would have punished those whose numbers are easy to read.
@ 192 Energy Budget of a Passage | routing | P Exp <158,138
Electric boats run out of battery where the current is strongest.
S A planner adds the energy of each segment for a reference hull, against the stream and with it. It warns at a reserve of twenty percent.
@ 193 Deposits for Damaged Gates | tolls | K Core <148
Insurers pay late, and gates cannot wait.
S A deposit of 900 crowns is frozen on contact with a gate. The draft was parked by its editor until the court in Lemberg has ruled.
@ 194 Shared Lock Cameras | locks | P Core <107,145
Keepers want to see round the corner.
S Cameras point at the water, deliver one picture in five seconds, and blur everything above the deck. Nothing is kept for more than two days.
@ 195 Virtual Buoys | safety | A Core <175
A buoy costs four thousand crowns, a virtual one nothing, and that is the danger.
S A virtual buoy may never be the only mark of a danger for more than a week. Old displays show it as a plain cross.
@ 196 Ballast Water Exchange | water | P Core <104
Mussels from another river have blocked the cooling of six pumping stations.
S Ballast is changed at listed places only. The log is kept on board for three years and shown on demand.
@ 197 Routing Hints From Skippers | routing | X Exp <113
Local knowledge is better than any map, when it is true.
S A skipper may attach a hint to a segment, which others see.
R Rejected since there was no way to tell a hint from a grudge. A mill owner had marked his rival's quay as shallow in the trial.
@ 198 Tug Dispatch | mooring | A Core <182,174
Two tugs for one tow and none for the other.
S A request states the pull in tonnes and the place. The nearest free tug has ninety seconds to accept before the next is asked; after three refusals the harbour master decides.
@ 199 Archive Format for Frames | testing | A Core <164
Ten years of frames lay in four formats on one disk.
S An archive is a file of frames by day, one a line, compressed and signed. Personal fields are replaced by a keyed digest after two years.
@ 200 Language Tags in Frames | messages | A Core <164,115
Dutch crews got Czech bulletins for a week.
S Free text carries a tag. A hut that has no text in the wanted language sends English, and a display shows which language it is.
@ 201 Rest Times of Crews | safety | P Core <118,144
Tired people hit bridges.
S A trip plan that leaves no eight hours of rest in a day is marked amber. It is not refused, since the law already does that.
@ 202 Slot Trading | locks | P Exp <187
A boat that is early and one that is late could swap.
S Two hulls may trade their places when both skippers agree and nobody in between is delayed. No money may change hands.
@ 203 Fog Convoys | safety | A Prac <111,136
In fog the last boat is the safest and everybody wants to be it.
S A convoy has at most seven hulls at 200 metres. The leader has radar and the last one a horn; they are chosen by the keeper, without appeal.
@ 204 Key Ceremony | security | A Prac <176
A root key deserves witnesses and a locked door.
S The ceremony takes a day and needs five people, of whom one only watches. The machine is destroyed afterwards with a hammer that is kept for this purpose.
@ 205 Quay Occupancy Sensors | mooring | P Core <109,150
Harbour masters count by walking.
S A sensor tells free from taken and nothing else. It reports changes within three minutes and is silent otherwise, save for a beat each six hours.
@ 206 Dual Use of Towpaths | process | K Proc <101
Cyclists and ropes do not mix.
S Towing has the right of way, on paper. Parked as no member owns a towpath any longer.
@ 207 Privacy of Bystanders | security | P Core <145
Gongoozlers never agreed to be on camera.
S Pictures of people on the bank are blurred before storage. A request for deletion is met within ten days, without asking for reasons.
@ 208 Sunset of Plain Text Frames | messages | A Prac <106,164
Two dozen printers were still chattering.
S Gateways translate both ways until 30 June 2024 and one way for a year after. The last printer goes to the museum in Haarlem.
@ 209 Toll Disputes | tolls | A Core <122,171
A quarrel over four crowns had gone through three courts.
S A dispute is opened within 60 days and decided by an officer of another authority. Sums below ten crowns are refunded without a look.
@ 210 Overtaking on Narrow Segments | routing | P Core <138
Overtaking is polite when it is short.
S On segments below 22 metres in width a hull overtakes only on invitation. The invitation is a frame, and the invited has two minutes.
@ 211 Emergency Routing for Rescue Boats | routing | P Core <143,158
A rescue boat stuck behind a gravel barge is nobody's friend.
S Chambers ahead of a rescue boat are turned in its favour, and hulls in them are asked to leave. The plan is recomputed every fifteen seconds.
@ 212 Retention of Camera Pictures | security | P Core <194
Pictures pile up because deleting them is nobody's job.
S Retention is set for each camera and ends by itself. A hold for the police is logged with a name and lapses after 28 days.
@ 213 Passage Statistics for the Public | testing | A Prac <145,199
Newspapers asked for figures and got a different one from each office.
S One table a month, drawn from the archive on the fifth working day. Corrections are printed next to the figure they correct.
@ 214 Hydrogen Bunkering | safety | P Exp <131
The first hydrogen tug arrived before the rules did.
S Bunkering needs a circle of 25 metres, free of engines and of people without a task. Quays are listed; there are two.
@ 215 Turning Restrictions for Long Hulls | routing | A Core <105,180
A boat of 86 metres cannot turn where a boat of 38 does.
S Junctions list the longest hull for each turn. A planner that does not know the length assumes 110 metres, which bars nearly everything and so gets noticed.
@ 216 Message Size on Satellite Links | messages | X Core <189
The islands wished for a limit of 340 bytes.
S Frames are split by the gateway and joined by the next.
R Rejected in favour of compression, which helps everybody and does not lose halves.
@ 217 Long Stay Berths | mooring | P Core <182
Retired skippers live aboard and never leave.
S A fifth of the places may be let by the year. Those berths are left out of the congestion index.
@ 218 Registry of Notes | process | A Proc <100,102
The register of numbers had become a web page, a spreadsheet and a memory, in this order of trust.
S The registry is one file under version control. A number is given in public within two working days. Gaps are allowed and not explained.
@ 219 Drone Inspection of Weirs | locks | P Exp <151
A drone sees the crest of a weir without a rope.
S Flights are announced an hour ahead and kept 50 metres from any boat. Pictures are graded as for gates.
@ 220 Quantum Safe Certificates | security | P Exp <176
A lock lasts a hundred years and a certificate should at least dream of it.
S Stations carry a second signature. It is nine times as long, so it is sent only once a day and otherwise by its digest.
@ 221 Routing Data Quality Marks | routing | P Prac <142,158
A depth from last week and one from last century look the same on the screen.
S Each figure has a mark from A to E for its age and source. Planners show the worst mark of a route next to its time.
@ 222 Salt Intrusion Alerts | water | P Core <124,133
Salt creeps up with each cycle of the sea lock, and the waterworks taste it first.
S An alert is raised at 250 milligrams of chloride a litre. The lock then runs one cycle in three with bubbles on.
"""
STANDARD_POOLS = r"""
routing
A planner that cannot tell a forecast from a measurement should not mix them.
Skippers trust a route that explains itself, and they ignore the others.
Two independent planners were run against a year of passages before the text was settled.
Maps from before the survey of 2014 lack widths, and a default is worse than a blank.
The cost of a wrong route is paid by the crew and not by the planner's author.
locks
Keepers reviewed the text over coffee at three huts, and the wording follows theirs.
A chamber cannot be hurried: the water takes as long as it takes.
Remote working from a control room is allowed wherever a camera shows both gates.
The half year trial at the Schelde flight led to only one change of wording.
A gate that is open at both ends is a weir, and the alarms treat it so.
identity
Nothing in this note gives anybody the right to follow a boat.
Registers are merged by hand when two offices claim the same hull.
Owners may ask who has looked at their entry, and get an answer in a month.
Old papers stay valid until the hull is next surveyed.
messages
Implementers should log what they refuse and why, since the sender will ask.
Field names are lower case, as the hut keyboards have no shift lock that works.
Times without a zone were the source of most faults in the trial.
A decoder must never guess.
Retransmission is left to the layer below.
mooring
Harbours without an office may leave the register to their neighbour.
The clubs asked for shorter notice and the freight operators for longer; the text sits between.
Rafting up is a matter between skippers and is not covered.
A berth is public unless it says otherwise.
tolls
Amounts are in crowns and are never rounded in favour of the house.
Tariffs change on the first of January and on no other day.
Accounts of different authorities are settled once a quarter.
The auditors of two members have read this text and asked for nothing.
safety
Nothing here replaces the judgement of the person at the wheel.
Drills showed that people act on the first word, so the first word is the danger.
False alarms are counted, and a source with too many of them is asked to explain.
The rescue centres were consulted and wished for fewer words.
water
A level is a measurement and a forecast is an opinion; the field says which.
Gauges drift by some millimetres a year and are levelled each spring.
Farmers downstream have a right to be told, even though they send nothing.
Data are open from the first day.
security
The threat that was considered is a bored person with a radio rather than a state.
Keys on paper are a last resort and live in a sealed envelope.
An alarm about forged frames goes to a human being.
The measures were costed for a hut with one mains socket.
process
The mailing list was asked twice, and the second silence was taken as consent.
Editors may fix spelling without asking.
A meeting is announced three weeks ahead.
The text was kept short on purpose.
testing
Results that cannot be repeated are not results.
Volunteers keep the collection up to date, and say so when they cannot.
Faults in the tests are reported like faults in the notes.
general
Stations that know nothing of this note go on as before.
No field of an earlier note changes its meaning.
Both ways of working were allowed side by side for one season.
A migration was not needed, since nobody had built the older way.
Costs were estimated at less than a day of work for each hut.
The editors thank the crews who read three drafts of it.
An earlier draft had more options, and each of them was found to have exactly one user.
Questions that were left open have been moved to the mailing list.
Implementations exist on two continents, if the islands are counted as one.
A reference implementation is kept next to the test vectors.
Objections were answered in writing and are kept in the archive.
"""
EDITORS = [
    "Marit Solheim",
    "Pieter van Aalst",
    "Oksana Hrytsenko",
    "Jonas Albrecht",
    "Lucia Ferrante",
    "Henk Dijkstra",
    "Aoife Brannigan",
    "Tomasz Wilk",
    "Renate Vogelsang",
    "Bao Nguyen",
    "Celeste Amadou",
    "Ivo Petrov",
    "Greta Lindholm",
    "Samir Haddad",
]
SERVICES = r"""
@ coin-till | payments | 1 | Go | PostgreSQL | 2019-03-11 | 6.2.0 | 99.95 | ledger,card-vault,risk-scale
D The coin till takes the money. It is called once when a box is confirmed and once more on the evening before it is packed, and only the second call moves anything.
D The two calls exist because a box changes until the night before: a cabbage turns into a kale, and the amount with it.
C TILL_HOLD_HOURS | 96 | how long an authorisation is held before it is given back
E TIL-409 | the same box was charged twice within a minute; the second charge is refused and nothing needs doing
E TIL-503 | the acquirer is away; charges are kept in the night queue and tried again at 02:30
N A charge hangs
1 Look it up with `till show BOX`.
2 If the state is `held` for more than four days, run `till release BOX` and tell support.
3 Never run `till capture` by hand on a Sunday: the acquirer closes its day at 18:00 then.
@ ledger | payments | 1 | Kotlin | PostgreSQL | 2018-06-02 | 9.1.4 | 99.95 | clockwork
D The book of what everybody owes. Entries are only ever added; a mistake is corrected by a second entry that points at the first.
D Amounts are integers of a tenth of a cent. The odd tenth came in with the Swiss farms and has never been needed since, but the column stayed.
C LEDGER_CLOSE_DAY | 4 | working day on which a month is closed
E LED-12 | debit and credit differ; the batch is rolled back as a whole
N Close of a month
1 Check that `ledger diff` prints zero for all eleven books.
2 Freeze with `ledger close YYYY-MM`.
3 Send the trial balance to finance before noon.
4 Reopening needs two signatures and is done with `ledger thaw`.
@ card-vault | payments | 1 | Rust | FoundationDB | 2020-01-20 | 3.0.8 | 99.99 | key-cabinet
D Keeps card numbers so that nothing else has to. What other services see is a token of eighteen letters.
D It runs in its own network with no way out but one, and its logs are read by two people only.
E CV-7 | a token was asked for from outside the payments network; the caller's certificate is blocked for an hour
@ risk-scale | payments | 2 | Python | Redis | 2021-09-14 | 2.4.1 | 99.5 | profile,ledger
D Weighs an order between zero and a hundred. Above eighty it is held, between sixty and eighty a person looks.
D New households in a block with many unpaid boxes start at thirty instead of ten, which has been argued over and is reviewed each quarter.
@ refund-desk | payments | 2 | Go | PostgreSQL | 2020-05-05 | 2.9.0 | 99.5 | coin-till,ledger
D Gives money back. Anything below twelve euros is paid without a look; the rest goes to a queue that support works through in the morning.
E RFD-21 | the card has expired; the amount is kept as credit and the household is written to
N Refunds pile up
1 Read the length of the queue with `refund queue --count`.
2 If it is above 400, raise the limit for a day: `refund limit 20`.
3 Put the limit back before the evening, and say so in #money.
@ invoice-press | payments | 3 | Java | S3 | 2017-11-08 | 4.4.0 | 99.0 | ledger,template-shed
D Prints invoices for schools and canteens. Private households get a receipt by mail and no invoice, unless they ask.
@ voucher-tin | payments | 3 | Python | PostgreSQL | 2019-10-01 | 1.12.3 | 99.0 | coin-till
D Vouchers have ten signs without O, 0, I and 1. A voucher lasts for three years, as the law wants it.
@ payout | payments | 2 | Kotlin | PostgreSQL | 2018-09-17 | 5.0.2 | 99.9 | ledger,farm-register
D Pays the farms. Money leaves every second Wednesday for everything that was weighed in up to the Sunday before.
E PAY-3 | the account of a farm was changed less than seven days ago; the payment waits for a call back
N A payout run stops half way
1 Do not start it again. Run `payout status` and note the last farm.
2 Wait for the bank's file, which comes at 10:15.
3 Resume with `payout resume --after FARM`.
@ shelf | catalogue | 1 | Go | Elasticsearch | 2018-02-12 | 11.3.0 | 99.9 | crop-names,price-tag
D What is on offer this week, by region. Everything a customer sees on the front page is read from here.
D The index is built anew each Thursday at five in the morning and swapped in one move; the old one stays for two days in case.
C SHELF_PAGE | 48 | products on a page
E SHF-30 | the new index holds a third fewer products than the old one; it is not swapped
N The front page is empty
1 Compare `shelf count --live` with `shelf count --next`.
2 Swap back with `shelf swap --previous`.
3 Call the catalogue rotation if the farms have sent nothing at all.
@ crop-names | catalogue | 3 | Python | SQLite | 2018-04-30 | 2.0.0 | 99.0 | -
D One crop has many names: rocket, arugula, roquette. This is the list, with 1,940 crops in fourteen languages.
@ price-tag | catalogue | 2 | Kotlin | PostgreSQL | 2018-07-23 | 3.8.1 | 99.9 | farm-register
D Turns what a farm asks into what a customer pays. The margin is a table by crop and season; it is never above 38 percent.
E PRT-5 | a price moved by more than half in one day; it is shown to a buyer first
@ season-wheel | catalogue | 3 | Python | SQLite | 2019-01-07 | 1.5.0 | 99.0 | crop-names
D Tells which crop is in season where. The data came from an almanac and was corrected by growers for four years.
@ photo-barn | catalogue | 3 | Elixir | S3 | 2018-05-15 | 2.2.7 | 99.0 | -
D Pictures in six sizes. Originals are kept for ever, the sizes are made when somebody first asks for them.
@ recipe-card | catalogue | 3 | Ruby | PostgreSQL | 2020-11-02 | 1.9.0 | 99.0 | shelf,photo-barn
D Every box comes with two recipes. Cooks write them, and an editor checks that the oven is mentioned before it is needed.
@ allergen-lamp | catalogue | 1 | Rust | PostgreSQL | 2021-02-01 | 2.1.0 | 99.95 | crop-names
D Lights up when a box and a person do not go together. It errs towards warning, and its fourteen categories are those of the regulation.
E ALG-1 | no data for a product; the box is stopped, as silence is not safety
@ search-lane | catalogue | 2 | Go | Elasticsearch | 2019-06-18 | 4.0.3 | 99.5 | shelf,crop-names
D Search with forgiveness for spelling. It learns nothing about persons; only the words are kept, for thirty days.
@ basket | orders | 1 | Kotlin | Redis | 2018-02-26 | 8.7.0 | 99.95 | shelf,price-tag,profile
D What somebody is about to buy. A basket lives for nine days and is emptied without ceremony.
C BASKET_MAX_LINES | 75 | lines in one basket
E BSK-44 | the basket was changed on two phones at once; the later change wins and both are told
@ box-builder | orders | 1 | Rust | PostgreSQL | 2018-10-10 | 5.5.2 | 99.95 | shelf,allergen-lamp,depot-stock
D Fills a box with what there is and what is liked. It tries for 800 milliseconds and then takes the best it has.
D A swap must be of the same kind and may cost up to sixty cents more, which we bear.
N Boxes come out empty
1 Check the stock feed: `boxb feed --age`. Older than 25 minutes is too old.
2 Put the region on fixed boxes with `boxb fixed REGION`.
3 Tell the depot by phone, not by chat.
@ order-line | orders | 1 | Go | PostgreSQL | 2018-03-05 | 12.0.1 | 99.95 | basket,coin-till,box-builder,household-book
D The order itself, from confirmation to doorstep. Eleven states, of which four are ends.
E ORD-61 | the cut off has passed; changes are for the next week
E ORD-77 | the household is paused and has ordered nevertheless; the pause is lifted and a mail sent
N Orders stuck in `confirmed`
1 `order stuck --since 2h` lists them.
2 Replay ten of them with `order replay --max 10` and watch the error rate.
3 Replay the rest only if fewer than two of the ten failed.
@ subscription | orders | 2 | Go | PostgreSQL | 2018-08-13 | 4.6.0 | 99.9 | order-line,calendar-rail
D Weekly, fortnightly or when the moon is full; the last was a joke that eighty-three households chose.
@ pause-button | orders | 3 | TypeScript | Redis | 2019-04-29 | 1.3.2 | 99.0 | subscription
D Holidays. A pause may last up to sixteen weeks, then we ask.
@ gift-ribbon | orders | 3 | TypeScript | PostgreSQL | 2019-11-25 | 1.1.0 | 99.0 | order-line,voucher-tin
D Boxes for others. The price is never printed on the slip, and the card text is read by a person when it is longer than 200 signs.
@ group-order | orders | 3 | Elixir | PostgreSQL | 2021-05-17 | 0.9.4 | 99.0 | order-line,household-book
D Neighbours who share a delivery. At least three households, one doorstep, one euro off for each.
@ cutoff-bell | orders | 2 | Go | Redis | 2019-02-18 | 2.0.5 | 99.9 | clockwork,calendar-rail
D Rings at the hour after which a box cannot be changed. That hour is 20:00 two days ahead, except in the hills, where it is noon.
@ route-planner | delivery | 1 | Rust | PostgreSQL | 2018-12-03 | 7.1.0 | 99.9 | map-tiles,depot-stock,van-fleet
D Makes 340 tours a day out of nine thousand stops. The first answer is there after four minutes; the good one takes forty.
C ROUTE_MAX_STOPS | 62 | stops on one tour
E RTE-18 | a stop cannot be reached with the vans that are left; it goes to the list for bicycles
N Tours are not ready by five
1 Take the first answer: `route accept --draft`.
2 Print the lists before anything else, because the vans leave at 05:40 with or without them.
3 Stop the optimiser with `route halt` so that the lists stay true.
@ van-fleet | delivery | 2 | Java | MySQL | 2018-12-10 | 3.3.3 | 99.5 | -
D Vans, drivers, licences. A driver may not be planned for more than nine hours, and the service refuses rather than warns.
@ doorstep | delivery | 1 | Kotlin | Cassandra | 2019-05-27 | 4.2.0 | 99.9 | route-planner,order-line
D The driver's app talks to this. It must work in cellars, so all it does can be done later.
E DST-9 | a photo of the doorstep shows a face; it is deleted and the driver asked for another
@ eta-whisper | delivery | 3 | Python | Redis | 2020-08-24 | 1.8.0 | 99.0 | doorstep,map-tiles
D Tells people when the box will come, in steps of a quarter of an hour. It is deliberately late by five minutes, since early boxes make people happy.
@ map-tiles | delivery | 2 | C++ | S3 | 2018-12-17 | 2.7.1 | 99.5 | -
D Our own maps, as the bought ones did not know farm tracks. Rebuilt on the first of each month.
@ crate-return | delivery | 3 | Go | PostgreSQL | 2020-02-10 | 1.4.4 | 99.0 | doorstep,household-book
D Crates come back, mostly. A deposit of four euros is taken after the third crate that stays.
@ cold-chain | delivery | 1 | Rust | InfluxDB | 2021-06-07 | 2.3.0 | 99.95 | sensor-hub
D Watches the temperature of milk from farm to door. More than eight degrees for more than twenty-five minutes, and the milk is poured away.
E CLD-8 | a van has sent no temperature for ten minutes; the driver reads the dial and types it in
N A cold room warms up
1 Call the depot and ask for the door first.
2 `cold room NAME --trend` shows whether it still rises.
3 At seven degrees order the spare van: `cold spare DEPOT`.
@ bike-courier | delivery | 3 | TypeScript | PostgreSQL | 2021-04-12 | 1.0.9 | 99.0 | route-planner
D Bicycles for the old towns. A bicycle carries six boxes, or five and a pumpkin.
@ depot-stock | depots | 1 | Java | MySQL | 2018-05-28 | 10.2.2 | 99.95 | weigh-in
D What lies where. It counts in crates and kilos at once, and the two are allowed to disagree by three percent.
E DPS-14 | stock went below zero; someone has to count
N Stock is wrong after an inventory
1 Find the hour of the last good count with `stock counts DEPOT`.
2 Replay from there: `stock replay DEPOT --from HOUR`.
3 Ask a second person to compare five crops by eye.
@ weigh-in | depots | 1 | C++ | SQLite | 2018-06-11 | 3.9.0 | 99.9 | farm-register,scale-bridge
D The farmer's van arrives, the crates go over a scale, and this writes the note. It works without a network for three days.
@ scale-bridge | depots | 2 | C++ | - | 2018-06-11 | 1.6.0 | 99.5 | -
D Speaks with the scales in a protocol of 1987. Nobody else should have to.
@ pick-light | depots | 2 | Rust | Redis | 2020-10-19 | 2.2.0 | 99.5 | depot-stock,box-builder
D Lamps over the shelves that show what to take. A picker with lamps does 71 boxes an hour, one with paper 48.
@ label-goose | depots | 3 | Python | - | 2019-09-02 | 3.1.0 | 99.0 | order-line,template-shed
D Prints labels. It is named after the printer's sound.
E LBG-2 | out of ribbon; the lamp blinks twice
@ waste-log | depots | 3 | Ruby | PostgreSQL | 2020-03-16 | 1.2.1 | 99.0 | depot-stock
D What was thrown away and why. Last year it was 1.7 percent of the weight, and the target is 1.5.
@ shift-board | depots | 3 | TypeScript | PostgreSQL | 2021-01-11 | 2.0.0 | 99.0 | -
D Who works when. Shifts are published eighteen days ahead, and may be swapped until the evening before.
@ sensor-hub | depots | 2 | Rust | InfluxDB | 2021-03-22 | 1.7.5 | 99.9 | -
D Takes readings from 2,300 sensors once a minute and passes them on. It keeps none for more than ninety days.
@ profile | identity | 1 | Kotlin | PostgreSQL | 2018-01-15 | 7.4.0 | 99.95 | -
D Names, addresses, likes and dislikes. Coriander has a column of its own.
C PROFILE_ADDRESS_MAX | 5 | addresses kept for one person
E PRF-6 | the address cannot be found on our maps; a person looks at it within a day
@ front-door | identity | 1 | Go | Redis | 2018-01-22 | 6.6.1 | 99.99 | profile,key-cabinet
D Sign in. Five wrong passwords close the account for twelve minutes, and the sixth makes it an hour.
E FDR-401 | the session is older than thirty days; sign in anew
E FDR-429 | too many tries from one address; the door stays shut for twelve minutes
N Nobody can sign in
1 Look at `door keys --age`. Keys older than 26 hours mean that the rotation is broken.
2 Rotate by hand: `door rotate --now`.
3 If Redis is the cause, run `door stateless on`; it costs nothing but logouts.
@ household-book | identity | 2 | Kotlin | PostgreSQL | 2019-07-08 | 3.2.0 | 99.9 | profile
D Who lives with whom, for the sake of boxes. Up to nine people; the tenth has asked, and we are thinking.
@ key-cabinet | identity | 1 | Rust | FoundationDB | 2019-12-09 | 2.8.0 | 99.99 | -
D Keys for everything else. Two people are needed to read one, and the request is shown on the wall.
N A key has leaked
1 `cabinet revoke KEY --reason leak` at once; ask questions later.
2 List the users of the key with `cabinet readers KEY --days 30`.
3 Write to the data protection officer within 24 hours, with or without answers.
@ consent-leaf | identity | 2 | Elixir | PostgreSQL | 2018-05-21 | 2.5.0 | 99.5 | profile
D Who has agreed to what, with the very wording that was shown. Withdrawing takes effect within fifteen minutes.
@ partner-gate | identity | 3 | Go | PostgreSQL | 2020-09-28 | 1.6.2 | 99.5 | key-cabinet,farm-register
D Farms and schools come in here. A key lasts for 180 days and is mailed on paper.
@ farm-register | farms | 2 | Python | PostgreSQL | 2018-02-05 | 5.8.0 | 99.9 | -
D 612 farms, their fields and their papers. A farm without a valid organic certificate is grey and cannot be bought from.
E FRM-10 | the certificate ends within thirty days; a letter goes out
@ harvest-diary | farms | 3 | Elixir | PostgreSQL | 2019-03-25 | 2.3.1 | 99.0 | farm-register,crop-names
D Growers write what will be ripe. The forecast is right to a tenth for carrots and to a half for strawberries.
@ field-weather | farms | 3 | Python | InfluxDB | 2020-06-15 | 1.1.8 | 99.0 | sensor-hub
D Rain and frost by field. Frost is announced to growers by a phone call, since messages were slept through.
@ seed-loan | farms | 3 | Ruby | PostgreSQL | 2021-11-29 | 0.8.0 | 99.0 | farm-register,ledger
D We lend seed money in spring and take it back in vegetables. No interest; at most 6,000 euros to a farm.
@ contract-barn | farms | 2 | Java | MySQL | 2019-08-19 | 2.6.0 | 99.5 | farm-register,template-shed
D Contracts with farms, by season. Signed on paper still, and scanned; the paper is what counts.
@ help-desk | support | 2 | Ruby | PostgreSQL | 2018-04-09 | 5.3.0 | 99.5 | order-line,profile,refund-desk
D Where support works. Each mail is answered within seven hours on working days, on the median within two.
@ bread-crumb | support | 3 | Python | Elasticsearch | 2020-12-14 | 1.4.0 | 99.0 | help-desk
D Finds similar cases for the person who is writing. It suggests and never sends.
@ satisfaction | support | 3 | TypeScript | PostgreSQL | 2021-08-02 | 1.0.3 | 98.0 | help-desk,order-line
D One question after every fourth box: was it good? Answers are a leaf, half a leaf or a stalk.
@ mail-coach | platform | 2 | Go | Redis | 2018-03-19 | 6.1.0 | 99.9 | template-shed,consent-leaf
D Sends mails and messages. Nothing goes out between 21:00 and 07:00 but alarms.
E MCH-550 | three hard bounces; the address is put to rest and help-desk is told
@ template-shed | platform | 3 | TypeScript | S3 | 2018-08-27 | 2.4.0 | 99.5 | -
D Wordings and layouts, in five languages. A change needs a reader who did not write it.
@ clockwork | platform | 1 | Go | PostgreSQL | 2018-01-29 | 4.9.0 | 99.99 | -
D Runs things at a time. Jobs are started within two seconds of their hour and never twice.
E CLK-2 | a job is still running when its next turn comes; the turn is skipped and counted
N Jobs start late
1 `clock lag` shows the delay by queue.
2 Above ninety seconds, move the reports aside with `clock park reports`.
3 Bring them back after six in the morning.
@ calendar-rail | platform | 3 | Python | SQLite | 2019-01-14 | 1.7.0 | 99.5 | -
D Holidays by village. Corpus Christi alone has nine variants.
@ lighthouse | platform | 1 | Rust | InfluxDB | 2019-10-28 | 3.5.0 | 99.99 | -
D Watches everything else. When it is silent itself, a lamp in the kitchen goes from green to red, which has happened twice.
N Lighthouse is dark
1 Go to the kitchen and look at the lamp, seriously.
2 Start the spare with `lh spare up`.
3 Page all tier 1 owners, because their alarms were blind in the meantime.
@ old-mill | platform | 3 | PHP | MySQL | 2016-09-01 | 1.99.12 | 98.0 | ledger
D What is left of the first shop. It prints a yearly letter to four hundred members of the old cooperative and is to be switched off once that letter moves to the press.
"""
WIKI = r"""
@ Lanternwort | plant | Family=Bellworts; Height=70 cm; Flowers=June to August; Light=half shade; Bed=North Bed; Hardiness=-18 °C
D Lanternwort hangs its papery orange hoods on thin stems, and on a dark evening in July they seem to hold a light of their own. The glow is a trick of the low sun; nothing in the plant shines by itself.
D Cut the stalks when two thirds of the hoods have turned. Earlier ones crumple, later ones drop their seed in the house. The root is bitter and is left in the ground.
@ Grey Sallow | plant | Family=Willows; Height=4 m; Flowers=March; Light=full sun; Bed=Brook Edge; Hardiness=-30 °C
D A willow that is cut to the stool every second winter. The rods are dull as ash on one side and nearly white on the other.
D Rods cut after the sap has risen split along the grain and are good for tying only. Bees depend on the catkins, so one stool in five is always left alone.
@ Pillow Moss | plant | Family=Mosses; Height=4 cm; Flowers=none; Light=deep shade; Bed=Fern Steps; Hardiness=-40 °C
D Round cushions that grow on stone and on nothing else. A cushion of the size of a plate is about thirty years old, which is why it is never taken whole.
D It drinks through its leaves. Tap water from the lime well turns it brown within a week.
@ Rope Moss | plant | Family=Mosses; Height=15 cm; Flowers=none; Light=half shade; Bed=Fern Steps; Hardiness=-35 °C
D Rope moss trails from the north wall in strands as long as an arm. Wrens line their nests with it, and so did the people who used to stuff the gaps of the boat house.
@ Bog Moss | plant | Family=Mosses; Height=10 cm; Flowers=none; Light=full sun; Bed=Peat Pool; Hardiness=-30 °C
D Holds twenty times its own weight in water and keeps it sour. The pool has shrunk since the drain of 1911 was cleared, and raking bog moss has been forbidden since 2009 save for the yearly handful that the orchid baskets need.
@ Red Star Moss | plant | Family=Mosses; Height=2 cm; Flowers=none; Light=full sun; Bed=Roof Garden; Hardiness=-30 °C
D Opens like a star when it rains and curls to a rusty thread when it does not. It is the only moss here that stands the slates of the roof.
@ Moss Campion | plant | Family=Pinks; Height=5 cm; Flowers=May; Light=full sun; Bed=Scree; Hardiness=-35 °C
D Not a moss at all but a pink that looks like one until May. It sends a single root more than a metre down and cannot be moved once it has settled.
@ Widow's Thyme | plant | Family=Mints; Height=12 cm; Flowers=July; Light=full sun; Bed=Herb Wheel; Hardiness=-15 °C
D A thyme with flowers of so dark a violet that they pass for black. Taken in the morning it tastes of lemon, taken at night of tar.
@ Quillroot | plant | Family=Carrots; Height=1.2 m; Flowers=August; Light=half shade; Bed=North Bed; Hardiness=-12 °C
D The hollow stems were cut to pens by the schoolchildren of Hollin. Its yellow juice blisters the skin in sunlight, so gloves are worn and the work is done on dull days.
@ Salt Aster | plant | Family=Daisies; Height=60 cm; Flowers=September; Light=full sun; Bed=Scree; Hardiness=-20 °C
D Came with a load of sea gravel in 1974 and never left. Watering it with brine once a month keeps the couch grass away and harms it not at all.
@ Mourning Bell | plant | Family=Bellworts; Height=40 cm; Flowers=April; Light=deep shade; Bed=North Bed; Hardiness=-22 °C
D White bells with a grey edge. Every part of it is poisonous, the bulb most of all; it has twice been taken for wild garlic by visitors.
@ Dyer's Broomlet | plant | Family=Peas; Height=90 cm; Flowers=June; Light=full sun; Bed=Dye Bed; Hardiness=-25 °C
D The tops give a clear yellow, with iron an olive. A kilo of wool needs as much fresh herb as a wheelbarrow holds.
@ False Woad | plant | Family=Cabbages; Height=1 m; Flowers=May; Light=full sun; Bed=Dye Bed; Hardiness=-20 °C
D Leaves of the first year give blue; those of the second give a grey nobody wants. Pulling it before it seeds is a matter of good manners towards the neighbours.
@ Blushing Madder | plant | Family=Bedstraws; Height=80 cm; Flowers=July; Light=full sun; Bed=Dye Bed; Hardiness=-15 °C
D Roots are lifted in the third autumn, when they are as thick as a pencil. Dried slowly they give red, dried at heat only brown.
@ Night Angelica | plant | Family=Carrots; Height=2 m; Flowers=July; Light=half shade; Bed=Brook Edge; Hardiness=-30 °C
D Dies after its flower, which may take two years or six. Cutting the bud back keeps it alive and sulking.
@ Brook Mint | plant | Family=Mints; Height=50 cm; Flowers=August; Light=half shade; Bed=Brook Edge; Hardiness=-25 °C
D Grows with its feet in the water and wanders. A slate sunk thirty centimetres deep around the bed is all that stops it.
@ Hollin Rose | plant | Family=Roses; Height=1.8 m; Flowers=June; Light=full sun; Bed=Long Wall; Hardiness=-24 °C
D The rose that the garden is known for, raised by Edda Marsh from a seedling found in the coal yard. Petals are flat and strongly scented and keep their scent for a year when dried in the loft.
D It flowers on old wood. Whoever prunes it in spring will see no flower until the year after.
@ Whistling Reed | plant | Family=Grasses; Height=2.5 m; Flowers=August; Light=full sun; Bed=Peat Pool; Hardiness=-25 °C
D Beetles bore holes into the stems, and the wind does the rest. Cut for thatch in January, on frozen ground.
@ Ember Currant | plant | Family=Currants; Height=1.5 m; Flowers=April; Light=half shade; Bed=Kitchen Plot; Hardiness=-28 °C
D Berries ripen from the tip of the bunch backwards, which no other currant does. A bush carries for about twelve years.
@ Winter Medlar | plant | Family=Roses; Height=3 m; Flowers=May; Light=full sun; Bed=Long Wall; Hardiness=-20 °C
D Hard as wood when it is picked in November; after five weeks on straw it is brown, soft and fit to eat. The old tree by the gate dates from 1848.
@ Tansy Queen | plant | Family=Daisies; Height=1.3 m; Flowers=August; Light=full sun; Bed=Herb Wheel; Hardiness=-30 °C
D A tall tansy with few leaves. Bunches in the rafters keep flies off the hams, or so the smokehouse keeper believes.
@ Bee Borage | plant | Family=Borages; Height=60 cm; Flowers=May to October; Light=full sun; Bed=Kitchen Plot; Hardiness=annual
D Sown once and weeded for ever. The blue turns pink when the sap gets sour; the bees do not care.
@ Candle Rush | plant | Family=Rushes; Height=80 cm; Flowers=July; Light=full sun; Bed=Peat Pool; Hardiness=-25 °C
D Peeled but for one strip, the pith draws fat like a wick. A rush of forty centimetres burns for twenty-two minutes.
@ Stone Fennel | plant | Family=Carrots; Height=40 cm; Flowers=August; Light=full sun; Bed=Scree; Hardiness=-14 °C
D Fleshy leaves that taste of paraffin and carrots; some people like that. It is a relation of the samphire of the cliffs.
@ Larkspur Tallis | plant | Family=Buttercups; Height=1.6 m; Flowers=June; Light=full sun; Bed=Long Wall; Hardiness=-30 °C
D Needs three stakes and gets two. The seeds must be chilled for six weeks before they wake.
@ Ghost Fern | plant | Family=Ferns; Height=50 cm; Flowers=none; Light=deep shade; Bed=Fern Steps; Hardiness=-20 °C
D Fronds are silver from below and are turned over by the slightest wind. It resents lime, dung and conversation, the last according to Edda.
@ Ladder Fern | plant | Family=Ferns; Height=90 cm; Flowers=none; Light=deep shade; Bed=Fern Steps; Hardiness=-28 °C
D Has so regular a frond that it was used as a ruler in the seed room. Divides easily in April.
@ Soapleaf | plant | Family=Pinks; Height=70 cm; Flowers=July; Light=half shade; Bed=Kitchen Plot; Hardiness=-25 °C
D Leaves and roots foam in soft water. The foam is mild enough for old lace and strong enough to kill fish, so buckets are emptied on the gravel, never into the brook.
@ Rook Lily | plant | Family=Lilies; Height=1 m; Flowers=July; Light=half shade; Bed=North Bed; Hardiness=-20 °C
D Almost black, with a smell that the postman complained of in writing. It is pollinated by carrion beetles.
@ Weaver's Flax | plant | Family=Flaxes; Height=1 m; Flowers=June; Light=full sun; Bed=Dye Bed; Hardiness=annual
D Sown on the hundredth day of the year and pulled with the root on the day when the lowest third of the stem has turned yellow. Cutting it would shorten the fibre.
@ Marsh Candle | plant | Family=Orchids; Height=35 cm; Flowers=June; Light=full sun; Bed=Peat Pool; Hardiness=-18 °C
D An orchid. It lives on a fungus for its first four years and on luck afterwards; there were 31 spikes in 2023.
@ Sweet Bracken | plant | Family=Ferns; Height=1.5 m; Flowers=none; Light=half shade; Bed=Orchard; Hardiness=-30 °C
D Smells of hay when dry. It is used under apples in the store, since mice do not like it.
@ Apple Dunmore Late | plant | Family=Roses; Height=5 m; Flowers=May; Light=full sun; Bed=Orchard; Hardiness=-30 °C
D Picked in the last week of October and not eaten before February. It needs a pollinator that flowers late, for which Winter Medlar will not do, whatever the label says.
@ Pear Old Sister | plant | Family=Roses; Height=8 m; Flowers=April; Light=full sun; Bed=Orchard; Hardiness=-25 °C
D Small, gritty and splendid when stewed. The two trees are said to stand on the graves of two cows.
@ Hedge Hop | plant | Family=Hemps; Height=6 m; Flowers=August; Light=full sun; Bed=Long Wall; Hardiness=-30 °C
D Climbs with the sun, never against it. Only female plants are kept, because seeded cones make the beer soapy.
@ Corn Damsel | plant | Family=Pinks; Height=80 cm; Flowers=June; Light=full sun; Bed=Kitchen Plot; Hardiness=annual
D Once a weed of rye, now rarer than the rye. Its seeds are poisonous to hens.
@ Velvet Dock | plant | Family=Docks; Height=1.4 m; Flowers=July; Light=half shade; Bed=Brook Edge; Hardiness=-30 °C
D Butter used to be wrapped in its leaves. The root goes down to the water table and gives a good black with iron.
@ Cushion Sedge | plant | Family=Sedges; Height=25 cm; Flowers=April; Light=half shade; Bed=Roof Garden; Hardiness=-25 °C
D Keeps the soil of the roof in place. Mown once a year with scissors, by tradition on the gardener's birthday.
@ Amber Mullein | plant | Family=Figworts; Height=2.2 m; Flowers=July; Light=full sun; Bed=Scree; Hardiness=-22 °C
D Felted leaves in the first year, a torch in the second. Dipped in tallow the stalks were carried at the winter supper until the fire of 1958.
@ Loft Garlic | plant | Family=Onions; Height=60 cm; Flowers=July; Light=full sun; Bed=Kitchen Plot; Hardiness=-20 °C
D Planted on the shortest day, lifted on the longest. Plaits hang in the loft over the kitchen, where the warmth keeps them until May.
@ Bitter Vetchling | plant | Family=Peas; Height=30 cm; Flowers=April; Light=half shade; Bed=Orchard; Hardiness=-25 °C
D Small tubers that taste of chestnut, dug by children and jays. Whisky drinkers chewed it to hide the smell.
@ Peat Bilberry | plant | Family=Heaths; Height=40 cm; Flowers=May; Light=half shade; Bed=Peat Pool; Hardiness=-35 °C
D Yields a cup to the square metre in a good year. Stains the hands for three days.
@ Lime Saxifrage | plant | Family=Saxifrages; Height=8 cm; Flowers=May; Light=full sun; Bed=Scree; Hardiness=-35 °C
D Wears a crust of lime at the edge of each leaf. It is the one plant that likes water from the lime well.
@ Pennycress Gold | plant | Family=Cabbages; Height=35 cm; Flowers=April; Light=full sun; Bed=Dye Bed; Hardiness=-20 °C
D Takes up zinc from the soil; the bed on the old tip is planted with it and cut each June, and the cuttings leave the garden as waste.
@ Silver Quince | plant | Family=Roses; Height=4 m; Flowers=May; Light=full sun; Bed=Orchard; Hardiness=-20 °C
D Fruit with a down like a mouse. It perfumes a drawer for two months and cannot be bitten raw.
@ Fairy Toadflax | plant | Family=Figworts; Height=20 cm; Flowers=June; Light=full sun; Bed=Roof Garden; Hardiness=-18 °C
D Throws its seed into cracks as far as four metres and so has reached the church.
@ Teasel Broad | plant | Family=Teasels; Height=1.9 m; Flowers=August; Light=full sun; Bed=Dye Bed; Hardiness=-25 °C
D The heads have hooked bristles that raise the nap of cloth. Goldfinches get the ones that the loom does not need.
@ Creeping Wintergreen | plant | Family=Heaths; Height=10 cm; Flowers=July; Light=deep shade; Bed=Orchard; Hardiness=-35 °C
D Its leaves smell of liniment when rubbed. Oil from it is dangerous in any quantity that could be called a spoon.
@ Lanternwort Tea | recipe | Makes=1 litre; Keeps=2 days; Time=20 minutes; Season=July
+ Lanternwort | 12 hoods
+ Brook Mint | 1 sprig
+ honey | 2 spoons
D A pale tea drunk cold by the haymakers.
1 Shake the hoods over a cloth to lose the beetles.
2 Pour water of eighty degrees over them; boiling water makes it bitter.
3 Add the mint after five minutes and the honey when it is lukewarm.
@ Widow's Salve | recipe | Makes=6 tins; Keeps=18 months; Time=3 hours; Season=August
+ Widow's Thyme | 60 g
+ beeswax | 80 g
+ Soapleaf | 1 root
+ lard | 400 g
D For cracked hands, and for hinges.
1 Warm the thyme in the lard for two hours without letting it sizzle.
2 Strain through linen.
3 Melt the wax into it and stir with the soapleaf root until it thickens.
4 Fill the tins before it turns cloudy.
@ Hollin Rose Vinegar | recipe | Makes=2 bottles; Keeps=3 years; Time=6 weeks; Season=June
+ Hollin Rose | 200 g of petals
+ white vinegar | 1.5 litres
D Took a second prize in 1931 and has been talked about since.
1 Snip off the white heel of each petal.
2 Fill a jar loosely and cover with vinegar.
3 Stand it in the dark for six weeks and turn it on Sundays.
@ Brook Mint Sauce | recipe | Makes=1 jar; Keeps=2 weeks; Time=15 minutes; Season=summer
+ Brook Mint | 50 g
+ Hollin Rose Vinegar | 4 spoons
+ sugar | 1 spoon
D Eaten with mutton and, by some, with cheese.
1 Chop the mint with the sugar, which draws out the oil.
2 Wait ten minutes before adding the vinegar.
@ Quillroot Ink | recipe | Makes=250 ml; Keeps=5 years; Time=9 days; Season=August
+ Quillroot | 300 g of stems
+ iron salt | 15 g
+ gum | 10 g
D Brown on the first day, black on the third, and not to be washed out of anything.
1 Crush the stems under water, with gloves on.
2 Let the mash stand for eight days in a covered crock.
3 Strain, stir in the iron salt and at last the gum.
@ Broomlet Yellow | recipe | Makes=dye for 1 kg of wool; Keeps=use at once; Time=5 hours; Season=June
+ Dyer's Broomlet | 6 kg
+ alum | 150 g
D The yellow of the Hollin scarves.
1 Mordant the wool in alum for an hour.
2 Boil the tops in soft water and take them out.
3 Lay the wool in below a simmer until it pleases you.
@ Madder Red | recipe | Makes=dye for 1 kg of wool; Keeps=use at once; Time=2 days; Season=autumn
+ Blushing Madder | 700 g of dried root
+ alum | 200 g
+ bran | 1 handful
D A red that outlived the coat it was made for.
1 Soak the ground root overnight with the bran.
2 Warm slowly; above seventy degrees the red is lost to brown.
3 Leave the wool in until the bath is cold.
@ Garden Green | recipe | Makes=dye for 500 g of wool; Keeps=use at once; Time=1 day; Season=June
+ False Woad | 4 kg
+ Dyer's Broomlet | 3 kg
+ alum | 75 g
D Green does not come from one pot. It is yellow dipped in blue.
1 Dye the wool yellow first.
2 Dip it in the woad vat for one minute and let it breathe for ten.
3 Repeat until the green is deep enough, at most six times.
@ Velvet Black | recipe | Makes=dye for 1 kg of wool; Keeps=use at once; Time=3 days; Season=October
+ Velvet Dock | 2 kg of root
+ iron salt | 40 g
+ Quillroot Ink | 1 cup
D For mourning, and for the band.
1 Simmer the chopped roots for a day.
2 Add the ink, then the iron.
3 Hang the wool in the rain to rinse.
@ Ember Jelly | recipe | Makes=8 jars; Keeps=2 years; Time=2 hours; Season=July
+ Ember Currant | 3 kg
+ sugar | 2.2 kg
+ Silver Quince | 2 fruits
D Sets without help and shakes like an alderman.
1 Cook the fruit without stirring.
2 Let it drip overnight; squeezing clouds it.
3 Boil with the sugar until two drops run together on the spoon.
@ Medlar Cheese | recipe | Makes=4 blocks; Keeps=1 year; Time=4 hours; Season=December
+ Winter Medlar | 2 kg, soft
+ sugar | 1 kg
+ cloves | 3
D It is no cheese. It is cut like one.
1 Press the soft medlars through a hair sieve.
2 Cook with the sugar until the spoon leaves a track.
3 Pour into tins rubbed with oil.
@ Quince Drawer Balls | recipe | Makes=10 balls; Keeps=2 winters; Time=1 week; Season=November
+ Silver Quince | 4 fruits
+ cloves | 200
+ Hollin Rose | 1 handful of petals
D For linen.
1 Stud the fruits as closely as you can.
2 Roll them in powdered petals.
3 Dry them above the stove for a week.
@ Rush Lights | recipe | Makes=40 lights; Keeps=1 year; Time=1 evening; Season=September
+ Candle Rush | 40 stems
+ mutton fat | 500 g
D The light by which the accounts of the garden were written until 1903.
1 Soak and peel the rushes, leaving one strip of skin.
2 Draw them through the melted fat.
3 Dry them on a piece of bark.
@ Tansy Fly Bunch | recipe | Makes=1 bunch; Keeps=6 months; Time=10 minutes; Season=August
+ Tansy Queen | 20 stems
+ Grey Sallow | 1 rod
D Hung in the smokehouse.
1 Tie the stems with a split rod.
2 Hang heads down in a draught.
@ Hop Pillow | recipe | Makes=1 pillow; Keeps=2 years; Time=1 hour; Season=September
+ Hedge Hop | 300 g of cones
+ Sweet Bracken | 100 g
+ linen | 2 pieces
D For those who lie awake, and not for dogs, to whom it is poison.
1 Dry the cones until they rustle.
2 Sew three sides, fill, and sew the fourth.
@ Soapleaf Wash | recipe | Makes=3 litres; Keeps=1 day; Time=30 minutes; Season=summer
+ Soapleaf | 270 g
+ rain water | 3 litres
D For lace and for the portraits in the hall, which it has not harmed yet.
1 Bruise the leaves and simmer for twenty minutes.
2 Strain and whip.
@ Garlic Barrier Spray | recipe | Makes=5 litres; Keeps=3 days; Time=1 day; Season=spring
+ Loft Garlic | 5 heads
+ Soapleaf Wash | 1 cup
D Against the [[Velvet Aphid]].
1 Steep the crushed garlic overnight.
2 Strain twice, or the nozzle will block.
3 Spray in the evening, never on open flowers.
@ Nettle Feed | recipe | Makes=20 litres; Keeps=2 months; Time=3 weeks; Season=May
+ nettles | 4 kg
+ rain water | 20 litres
D Smells like a barn that has been shut too long.
1 Fill the butt and put the lid on.
2 Stir every other day until it no longer foams.
3 Dilute one to ten before use.
@ Moss Milk | recipe | Makes=2 litres; Keeps=1 day; Time=30 minutes; Season=March
+ Red Star Moss | 2 handfuls
+ buttermilk | 1 litre
+ rain water | 1 litre
D Painted on new stone to make it look old.
1 Whisk the moss with the buttermilk.
2 Thin with rain water to the thickness of paint.
3 Brush on at dusk and keep it damp for three weeks.
@ Flax Bandage | recipe | Makes=5 rolls; Keeps=10 years; Time=2 days; Season=winter
+ Weaver's Flax | 200 g of fibre
+ Bog Moss | 1 handful
D Rolled by the school in both wars.
1 Weave a strip of eight centimetres.
2 Lay dry moss between two strips.
3 Boil, dry in the sun and roll.
@ Angelica Candy | recipe | Makes=1 tin; Keeps=1 year; Time=8 days; Season=May
+ Night Angelica | 500 g of young stems
+ sugar | 1 kg
D Green as a window.
1 Blanch and peel the stems.
2 Strengthen the syrup a little every day for a week.
3 Dry on a rack on the eighth day.
@ Bilberry Stain | recipe | Makes=500 ml; Keeps=1 month; Time=1 hour; Season=August
+ Peat Bilberry | 1 kg
+ alum | 20 g
D Colours baskets, not cloth; the sun takes it from cloth in a fortnight.
1 Crush the berries with the alum.
2 Warm for an hour and strain.
@ Mullein Torch | recipe | Makes=1 torch; Keeps=1 season; Time=2 hours; Season=September
+ Amber Mullein | 1 stalk
+ tallow | 300 g
D Forbidden indoors since the fire.
1 Dry the stalk standing.
2 Dip it three times, waiting for each coat to go hard.
@ Pear Perry Hollin | recipe | Makes=40 litres; Keeps=4 years; Time=9 months; Season=October
+ Pear Old Sister | 70 kg
+ Apple Dunmore Late | 10 kg
D Cloudy and stronger than it lets on: 7.2 percent in the year it was measured.
1 Leave the milled pears overnight before pressing.
2 Ferment in the cool room.
3 Bottle at Whitsun.
@ Wild Borage Honeycake | recipe | Makes=1 tray; Keeps=5 days; Time=90 minutes; Season=summer
+ Bee Borage | 1 cup of flowers
+ honey | 250 g
+ flour | 400 g
D Baked for the bee count.
1 Warm the honey and fold in the flour.
2 Scatter the flowers only after baking.
@ Cold Frame | build | Builder=two people; Time=1 day; Lasts=12 years; Place=Kitchen Plot
+ oak boards | 4
+ old window | 1
+ hinges | 2
+ linseed oil | 1 litre
D A box with a glass lid that moves the spring forward by three weeks.
1 Saw the side boards to a slope of one in six.
2 Screw the corners; nails work loose in the wet.
3 Oil the wood twice and let it dry for two days.
4 Hang the window so that it opens away from the wind.
5 Set the frame facing south on a bed of cinders.
@ Wattle Fence | build | Builder=one person; Time=2 days for 5 m; Lasts=7 years; Place=Brook Edge
+ Grey Sallow | 120 rods
+ chestnut stakes | 11
D Woven on the spot.
1 Drive a stake every half metre.
2 Weave thick ends first and change sides with every row.
3 Twist the rod at the end stake; bending it will break it.
4 Cut the ends flush after a week.
@ Dry Stone Seat | build | Builder=three people; Time=4 days; Lasts=a century; Place=Scree
+ flat stones | 2 tonnes
+ gravel | 300 kg
+ Moss Milk | 1 litre
D No mortar is used, so it drains and does not crack.
1 Dig out twenty centimetres and fill with gravel.
2 Lay each stone over a joint.
3 Tilt every course inwards by a finger.
4 Paint with moss milk.
@ Bee Skep | build | Builder=one person; Time=3 evenings; Lasts=15 years; Place=Orchard
+ rye straw | 3 kg
+ bramble strips | 30 m
D A coil of straw under which a swarm may spend the night.
1 Wet the straw and feed it through a cow horn.
2 Stitch each round into the one below.
3 Close the crown with a plug of oak.
@ Rain Butt Tower | build | Builder=two people; Time=1 day; Lasts=20 years; Place=Seed House
+ barrels | 3
+ larch posts | 4
+ pipe | 6 m
D Gives a fall of two metres, enough for a hose without a pump.
1 Set the posts ninety centimetres deep.
2 Brace on all four sides, since full barrels weigh six hundred kilos.
3 Join the barrels at the bottom.
@ Hot Bed | build | Builder=two people; Time=half a day; Lasts=1 season; Place=Kitchen Plot
+ fresh horse dung | 2 cubic metres
+ leaves | 1 cubic metre
+ Cold Frame | 1
D Melons were grown on one in the snow of 1963.
1 Mix dung and leaves and turn them twice in a week.
2 Tread a heap eighty centimetres high.
3 Wait until it has cooled to twenty-five degrees.
4 Put the frame on top with fifteen centimetres of soil.
@ Moss Wall | build | Builder=one person; Time=2 days and a year; Lasts=for ever; Place=Fern Steps
+ Rope Moss | 3 strands
+ Moss Milk | 2 litres
+ rough bricks | 200
D The green wall behind the steps.
1 Lay the bricks without pointing and leave the holes open.
2 Push a tuft into every third hole.
3 Brush with moss milk.
4 Mist it at dawn for a year.
@ Reed Roof Patch | build | Builder=two people; Time=1 day; Lasts=25 years; Place=Boat House
+ Whistling Reed | 30 bundles
+ hazel spars | 60
D For holes up to a metre wide.
1 Comb out the old reed.
2 Work from the eaves upwards.
3 Beat the ends to the slope with a leggett.
@ Leaf Mould Bay | build | Builder=one person; Time=2 hours; Lasts=10 years; Place=Orchard
+ posts | 4
+ wire netting | 5 m
D Leaves rot through cold and take two years.
1 Drive in the posts.
2 Staple the netting and leave the front loose.
@ Sallow Arch | build | Builder=two people; Time=1 day; Lasts=as long as it is watered; Place=Brook Edge
+ Grey Sallow | 24 rods, fresh
+ string | 1 ball
D A living arch.
1 Push the rods forty centimetres into the ground, the thick end first.
2 Bend opposite pairs together and tie.
3 Keep grass away from the foot for two summers.
@ Seed Drawer Cabinet | build | Builder=a joiner; Time=2 weeks; Lasts=80 years; Place=Seed House
+ limewood boards | 9
+ brass pulls | 48
D Lime does not smell, so the seed does not either.
1 Cut the drawers with the grain running across.
2 Leave a gap of two millimetres for damp summers.
3 Wax only the outside.
@ Toad House | build | Builder=a child; Time=10 minutes; Lasts=3 years; Place=Kitchen Plot
+ broken pot | 1
+ Pillow Moss | 1 thumb
D A toad eats some ten thousand slugs in a season, if one believes the sign.
1 Lay the pot on its side in the shade.
2 Half bury it.
3 Put damp moss inside.
@ Dibber | tool | Made of=yew; Length=30 cm; Kept in=Tool Room; Cares=oil in March
D A pointed stick with rings burnt at five, ten and fifteen centimetres. Yew is poisonous to chew, so it is not lent to the nursery class.
@ Leggett | tool | Made of=elm and horseshoe nails; Length=50 cm; Kept in=Boat House; Cares=none
D A bat full of nails for dressing thatch. The name is older than the nails.
@ Billhook | tool | Made of=steel and ash; Length=40 cm; Kept in=Tool Room; Cares=whetstone after each day
D The Hollin pattern has a second, straight edge on the back, for splitting rods.
@ Dung Fork | tool | Made of=steel; Length=1.3 m; Kept in=Stable Yard; Cares=washed at dusk
D Four tines. A fork with five is for potatoes and the two are not to be mixed.
@ Seed Riddle | tool | Made of=beech and wire; Length=45 cm across; Kept in=Seed House; Cares=kept dry
D Comes in meshes of 2, 5 and 12 millimetres. The middle one is borrowed without a note more than any other thing in the garden.
@ Rose Ladder | tool | Made of=ash; Length=3.2 m; Kept in=Long Wall; Cares=checked by the warden each spring
D Has three legs, as four would rock. Rung seven is new.
@ Water Barrow | tool | Made of=zinc; Length=1.5 m; Kept in=Seed House; Cares=drained before frost
D Holds ninety litres and wants to go downhill.
@ Bee Smoker | tool | Made of=copper and leather; Length=25 cm; Kept in=Orchard; Cares=bellows greased
D Burns dry puffball or sacking. A smoker that blows sparks is packed too loosely.
@ Flax Comb | tool | Made of=beech and steel; Length=60 cm; Kept in=Loft; Cares=pins straightened
D Hackles of three grades. The finest has nine hundred pins and has drawn blood from every warden.
@ North Bed | place | Area=140 m²; Soil=leaf mould; Keeper=Bram Oakley; Laid out=1871
D Sees no sun from October to March. Everything white was moved here in 1922 so that it could be seen from the dining room.
@ Brook Edge | place | Area=320 m²; Soil=silt; Keeper=Nuala Finch; Laid out=1902
D Floods twice a year, and twice a year somebody proposes to raise the path. The stepping stones are numbered from below.
@ Fern Steps | place | Area=60 m²; Soil=brick rubble; Keeper=Bram Oakley; Laid out=1888
D Thirty-nine steps, of which the eleventh is loose and is to stay so, since a wagtail nests under it.
@ Peat Pool | place | Area=210 m²; Soil=peat; Keeper=Ottilie Krane; Laid out=1911
D The only sour soil for miles. Boots are scrubbed before and after.
@ Roof Garden | place | Area=45 m²; Soil=slate grit; Keeper=Ottilie Krane; Laid out=1996
D Lies on the boat house. No more than four people at a time.
@ Scree | place | Area=95 m²; Soil=sea gravel; Keeper=Jory Pell; Laid out=1974
D Drains within minutes. It was meant for rhubarb, until the lorry tipped the wrong load.
@ Herb Wheel | place | Area=30 m²; Soil=loam and sand; Keeper=Nuala Finch; Laid out=1934
D A cartwheel with twelve gaps; the thirteenth herb is a matter of dispute.
@ Dye Bed | place | Area=180 m²; Soil=loam; Keeper=Jory Pell; Laid out=1950
D Replanted in a turn of four years. The label in bed six is wrong on purpose, to keep thieves off the madder.
@ Long Wall | place | Area=90 m along; Soil=clay; Keeper=Edda Marsh the younger; Laid out=1848
D Hollow inside: four fires warmed it from within until coal grew dear.
@ Kitchen Plot | place | Area=400 m²; Soil=loam; Keeper=Nuala Finch; Laid out=1848
D Feeds the supper table from April to November. Strangers are allowed one strawberry.
@ Orchard | place | Area=1.2 ha; Soil=clay; Keeper=Jory Pell; Laid out=1860
D Grass is cut once, after the cuckoo has stopped. Eighty-eight trees, eleven of them dead and kept for the woodpeckers.
@ Seed House | place | Area=24 m²; Soil=none; Keeper=Ottilie Krane; Laid out=1907
D Kept between four and nine degrees by a cellar below it. Seed is given out on Thursdays against a signature.
@ Velvet Aphid | pest | Attacks=Hollin Rose, Hedge Hop; Seen=May; Remedy=Garlic Barrier Spray; Severity=high
D Plum coloured and soft as cloth. Ants carry it up the wall in the morning, so a ring of grease is half the cure.
@ Moss Mite | pest | Attacks=Pillow Moss, Rope Moss; Seen=October; Remedy=Soapleaf Wash; Severity=low
D Leaves rusty tracks. Usually it starves by itself when the first snow lies for a week.
@ Madder Moth | pest | Attacks=Blushing Madder; Seen=July; Remedy=hand picking; Severity=medium
D Its grub goes red from the root it eats and is easily found for that reason.
@ Currant Sawfly | pest | Attacks=Ember Currant; Seen=April; Remedy=Garlic Barrier Spray; Severity=high
D Strips a bush from the middle outwards within four days. Look under the lowest leaves in the last week of April.
@ Brook Slug | pest | Attacks=Night Angelica, Velvet Dock, Mourning Bell; Seen=March; Remedy=Toad House; Severity=medium
D Swims. It is eaten by nothing that can be bought.
@ Reed Weevil | pest | Attacks=Whistling Reed, Candle Rush; Seen=June; Remedy=none; Severity=low
D Bores the holes that make the reed sing. It has been left in peace since 1980.
@ Quince Rust | pest | Attacks=Silver Quince, Winter Medlar; Seen=May; Remedy=cutting out; Severity=high
D A fungus with orange horns. It spends the other half of its life on juniper, and so the juniper by the chapel was felled in 2016.
@ Flax Wilt | pest | Attacks=Weaver's Flax; Seen=June; Remedy=seven years of rest; Severity=high
D Stems bow as though they had been told bad news. The spores last in the soil for six years.
@ Winter Supper | event | Held=21 December; Since=1886; Place=Boat House; Host=the warden
D Everything on the table was grown inside the wall, with salt as the one exception. Whoever finds the bean in the honeycake washes up.
@ Bee Count | event | Held=second Sunday of June; Since=1999; Place=Orchard; Host=Nuala Finch
D Each guest watches one square metre for ten minutes. The best year was 2018 with 4,212 visits.
@ Madder Lifting | event | Held=first dry Saturday of October; Since=1953; Place=Dye Bed; Host=Jory Pell
D Roots are washed in the brook, which runs pink as far as the mill. Helpers may keep what they can carry in one hand.
@ Open Gate Day | event | Held=24 June; Since=1921; Place=Long Wall; Host=Edda Marsh the younger
D The gate stands open from sunrise to sunset, and no money is taken. Dogs wait in the stable yard with a bowl.
@ Seed Swap | event | Held=2 February; Since=1978; Place=Seed House; Host=Ottilie Krane
D One packet in, one packet out. Hybrids are not accepted and get composted in front of the owner.
@ Stool | term | Also=coppice stool; Used by=fence makers
D The stump from which rods are cut again and again. A stool may be older than any tree in the county.
@ Blet | term | Also=bletting; Used by=cooks
D To soften a fruit by letting it go brown without letting it go bad. Medlars are bletted on straw with the eye downwards.
@ Heel | term | Also=none; Used by=gardeners
D Two things: the white foot of a petal, and the sliver of old bark left on a cutting. To heel in is to give a plant a shallow bed until its place is ready.
@ Mordant | term | Also=bite; Used by=dyers
D A salt that ties colour to fibre. Alum keeps it bright; iron saddens it, as dyers put it.
@ Turn | term | Also=rotation; Used by=keepers of beds
D The years before a crop may come back to the same bed: three for cabbages, four for dye plants, seven for flax.
@ Warden | term | Also=head gardener; Used by=everybody
D Elected for five years by all who have worked a hundred hours. A warden may be re-elected once.
@ Hundred Hours | term | Also=the hours; Used by=everybody
D Work that makes a helper a member with a vote. Hours lapse after three years, except those of the night frost watch, which never do.
@ Lime Well | term | Also=hard water; Used by=everybody
D The well by the stable. Its water furs kettles and kills most mosses; the butts are there for a reason.
@ Frost Watch | term | Also=night watch; Used by=keepers of the orchard
D When two degrees are forecast in May, two people sit up with the smoke pots. They light them at minus one and not before.
"""
HANDBOOK = r"""
@ 财务/差旅报销.md | 负责人=周敏;生效日期=2025-03-01;状态=有效
出差回来后三十天内提交报销单，超过期限的单子要由部门负责人书面说明原因，财务才会受理。
## 审批权限
- 单笔两千元以下：组长批准即可。
- 两千元至一万五千元：部门经理批准。
- 超过一万五千元：须总监签字，并附行程说明。
## 住宿标准
| 城市 | 每晚上限 |
| --- | --- |
| 一线城市 | 620 元 |
| 省会城市 | 450 元 |
| 其他 | 330 元 |
住宿超出标准的部分由本人承担，展会期间可以上浮两成，要在单子里注明展会名称。
## 常见退单原因
发票抬头写成个人、行程单缺页、把餐费拆成几张小票，这三种情况占了退单的一大半。
@ 财务/采购限额.md | 负责人=周敏;生效日期=2025-06-15;状态=有效
采购按金额分档，金额以含税价为准，不许把一次采购拆成几张单子来绕过限额。
| 金额 | 要求 |
| --- | --- |
| 3000 元以下 | 直接购买，事后登记 |
| 3000 至 50000 元 | 三家比价 |
| 50000 元以上 | 招标，评审小组不少于五人 |
办公椅、显示器和键盘有统一的供应商，不用比价，但是每人每三年只能换一次。
@ 财务/备用金.md | 负责人=何立群;生效日期=2023-09-01;状态=有效
每个办公点保管一笔备用金，数额是八千元，放在前台的保险柜里，钥匙和密码由两个人分开保管。
每周五下午盘点一次。差额在五十元以内的记入杂项，超过的要写说明，连续两周有差额就换保管人。
@ 财务/发票须知.md | 负责人=何立群;生效日期=2024-01-10;状态=有效
公司只收电子发票，邮寄来的纸质票请扫描后上传，原件保存两年。
收到红字发票不要自己处理，直接转给财务邮箱。税号写错的发票要在当月退回，跨月就只能作废重开。
@ 财务/旧版差旅标准.md | 负责人=周敏;生效日期=2021-04-01;状态=作废
本页已由《差旅报销》取代，只供查阅。当时一线城市住宿上限是 480 元，火车只报二等座。
@ 人事/请假.md | 负责人=林晓雯;生效日期=2025-01-01;状态=有效
年假按司龄计算：满一年七天，满五年十二天，满十年十八天。没有休完的可以顺延到次年三月底，之后清零，不折现金。
## 病假
一天以内不用证明，给组长发消息就行。两天以上要有医院的诊断书，复工当天交给人事。病假工资按基本工资的八成发放。
## 事假
事假按半天起算，提前两个工作日申请。临时有急事，可以当天打电话，第二天补单。
## 陪护假
父母住院时每年可以用五天陪护假，不需要先用完年假。
@ 人事/入职.md | 负责人=林晓雯;生效日期=2024-07-01;状态=有效
新同事第一天先到六楼领工牌，然后由导师带着走一圈。电脑已经装好系统，首次登录的密码印在工牌背面，当天必须改掉。
试用期是四个月，第二个月末有一次谈话，谈话记录由导师写，本人确认。
@ 人事/离职交接.md | 负责人=林晓雯;生效日期=2024-02-20;状态=有效
最后工作日之前五个工作日交出交接清单，清单分三栏：系统账号、未完事项、借用设备。账号在离开当天 18:00 统一关闭。
押在个人手里的样机必须当面归还，不接受快递。
@ 人事/远程办公.md | 负责人=苏珂;生效日期=2025-05-06;状态=试行
每周最多两天在家办公，周三除外，因为周三是各组的碰头日。在家办公期间，消息要在二十分钟内回复。
试行期到年底，人事会按季度统计，不看在线时长，只看约定的事情有没有完成。
@ 人事/培训补贴.md | 负责人=苏珂;生效日期=2024-11-11;状态=有效
每人每年有四千五百元的培训额度，当年用不完不能结转。考证的费用考过才报，补考费自理。
拿了补贴的，一年之内离职要按月退回。
@ 人事/绩效面谈.md | 负责人=苏珂;生效日期=2023-12-01;状态=修订中
面谈一年两次，在六月和十二月。双方事先各写一页纸，面谈不超过五十分钟，结果分为甲、乙、丙三档，丙档必须附改进计划。
@ 人事/推荐奖.md | 负责人=林晓雯;生效日期=2022-08-15;状态=作废
推荐一名工程师入职奖励六千元，转正后发放。此制度已经停止，新的办法还在讨论。
@ 行政/门禁.md | 负责人=罗志强;生效日期=2025-02-10;状态=有效
工牌在工作日 7:30 到 21:00 有效，其余时间要刷脸。访客由接待人到前台登记，领黄色胸牌，只能在三楼和四楼活动。
工牌丢失要马上打分机 8119 挂失，补办费三十元，从工资里扣。
## 机房
机房门必须两个人同时刷卡，间隔不超过十五秒，否则会响铃并通知保安。
@ 行政/会议室.md | 负责人=罗志强;生效日期=2024-05-20;状态=有效
会议室以河流命名。预订之后十分钟没有人到，系统自动释放。最大的一间叫澜沧，能坐三十二人，带同声传译间。
会后请把白板擦干净，投影仪关掉，窗户留一条缝。
@ 行政/设备借用.md | 负责人=潘悦;生效日期=2024-09-09;状态=有效
笔记本一次借两周，可以续借一次；相机和录音笔一次借三天。逾期每天扣信用分两分，扣满十二分半年之内不能再借。
## 借用步骤
1. 在设备台账里查编号，确认状态是「在库」。
2. 填借用单，写清楚用途和归还日期。
3. 到二楼库房当面验机，拍一张开机照片。
4. 归还时由管理员核对配件，少一根线都不算归还。
@ 行政/班车.md | 负责人=潘悦;生效日期=2025-08-25;状态=有效
班车有三条线，早上 7:50 发车，晚上 18:20 和 20:40 各一班。下雪天晚班提前半小时。
雨伞、饭盒落在车上的，司机保管一周。
@ 行政/食堂.md | 负责人=潘悦;生效日期=2023-03-15;状态=有效
午餐十五元，刷工牌扣款，加班晚餐免费，但要在 16:30 以前登记。素食窗口在最里面，清真窗口在二层。
@ 行政/快递收发.md | 负责人=罗志强;生效日期=2022-10-08;状态=有效
私人快递放在地下一层的柜子里，超过四天退回。生鲜不收。寄公司文件用蓝色面单，费用记到部门。
@ 行政/停车.md | 负责人=罗志强;生效日期=2024-12-02;状态=修订中
地库有一百四十个车位，月租三百八十元，摇号每半年一次。电动车的充电位限停四小时，充满以后要挪走。
@ 技术/值班.md | 负责人=段宇;生效日期=2025-04-01;状态=有效
值班一周一轮，周一上午十点交接。一级告警八分钟内响应，二级告警半小时内响应，三级告警等到上班再看。
主值班没有回应时，系统在十二分钟后转给副值班，再过十二分钟打给技术经理。
## 补偿
平日值班每晚一百二十元，周末和假日每天三百六十元。夜里被叫醒超过两小时的，第二天上午可以不来。
## 交接清单
- 还没有关闭的告警
- 正在进行的变更
- 下周的假日和活动
@ 技术/错误码.md | 负责人=段宇;生效日期=2025-07-07;状态=有效
| 代码 | 含义 | 处理 |
| --- | --- | --- |
| K1003 | 库存服务超时 | 等三分钟后重试，仍失败就切到只读模式 |
| K1017 | 订单重复提交 | 不用处理，系统保留第一笔 |
| K2040 | 支付渠道签名不符 | 检查证书是否过期，联系渠道换证 |
| K2055 | 退款金额大于原单 | 冻结该笔，转人工复核 |
| K3101 | 短信网关欠费 | 通知行政充值，临时改用邮件 |
| K3900 | 未知错误 | 把追踪号贴到值班群 |
以 K1 开头的是订单类，K2 是支付类，K3 是通知类。
@ 技术/上线流程.md | 负责人=段宇;生效日期=2025-03-18;状态=有效
周五下午三点以后、节假日前一天不上线。上线分四步，每一步之间至少观察十五分钟。
1. 合并代码，等流水线全部变绿。
2. 先放百分之五的流量。
3. 错误率不超过千分之二，再放到百分之三十。
4. 全量，并在群里报告版本号。
回滚不需要审批，谁发现谁回滚，事后补记录。
@ 技术/数据备份.md | 负责人=郑可;生效日期=2024-06-06;状态=有效
全量备份每周日凌晨两点，增量每六小时一次。备份保留四十五天，异地一份放在贵阳。每季度抽一个库做恢复演练，上次演练用了五十三分钟。
@ 技术/账号权限.md | 负责人=郑可;生效日期=2025-01-20;状态=有效
生产库的只读权限由数据负责人批，有效期九十天，到期自动收回。写权限只在变更窗口内开放，每次不超过四小时，并且要有第二个人在场。
@ 技术/代码评审.md | 负责人=郑可;生效日期=2023-11-03;状态=有效
一次评审不超过四百行，超过的请拆开。评审人要在一个工作日之内给出意见，意见分「必须改」和「可以商量」两种。
@ 技术/旧机房手册.md | 负责人=段宇;生效日期=2020-05-11;状态=作废
老机房在丰台，已经于 2022 年关闭。空调报警的处理办法是先看冷凝水盘，再打维保电话。
@ 技术/密钥轮换.md | 负责人=郑可;生效日期=2025-09-01;状态=试行
对外接口的密钥每一百八十天换一次，新旧两把同时有效七天。换之前先通知合作方，换之后看两个小时的调用失败数。
@ 客服/投诉处理.md
客服收到投诉以后，两小时之内要有第一次回复，三个工作日内给出方案。金额不超过八百元的赔付，客服主管可以当场决定。
同一个客户一个月内投诉三次，自动升级到专席，由专席一跟到底。
> 记住：先道歉，再问情况，最后谈钱。
@ 客服/退换货.md
普通商品七天内可退，定制品和拆封的耳塞除外。运费由责任方承担：质量问题我们付，不喜欢就客户付。
退货到仓后四十八小时内验收，验收通过的款项在三天内原路退回。
@ 客服/话术.md
不要说「这是规定」，要说清楚为什么。客户骂人时提醒一次，再骂可以结束通话，并在系统里标记「已提醒」。
@ 安全/消防.md
每层有两名疏散员，穿橙色背心。警铃响三声以上就下楼，不坐电梯，集合点在东门外的银杏树下。演习每年四月和十月各一次。
@ 安全/信息安全.md
外来的优盘先到安全台扫描，贴绿标以后才能用。发现钓鱼邮件请转发到安全邮箱，不要点开，也不要删。
客户资料分三级：公开、内部、机密。机密资料出公司必须加密，口令走另一条渠道。
"""
EXPERIENCE = r"""
104 The office at Dordrecht burnt its first two hundred plates with the check digit in front, and those hulls are still about. Readers therefore accept both orders when the digit fits only one of them.
105 Straightening the Maas bend closed eleven identifiers in one night. Three planners crashed on that morning, each of them because it had treated the map as something that never changes.
106 The last printer in daily use stood at Kerkdriel. Its keeper, a retired telegraphist, read the frames aloud to passing boats and was missed more than the machine.
107 Counting from the sea was disputed by the mountain valleys, which count from the spring. A coin was tossed in Basel; the minutes do not say by whom.
109 Both wet notebooks could be read again after a winter in the bakery. They turned out to contradict each other on forty berths, which is how the nightly copy came to be authoritative.
111 A practice call in May reached the wrong rescue centre, as two of them shared a short code. The codes have been renumbered; the exercise is repeated each year without notice.
113 It served well for six seasons. Its end was the summer in which everybody owned a planner, so that all of them sent their boats to the same lock at the same hour.
114 Two operators found that they ran nearly a third of their cycles without a single hull, mostly to bring the chamber to the other side. The report paid for itself within the year.
117 A skipper near Groningen relied on a bulletin of the day before and spent Christmas in the ice with a cargo of tulip bulbs. The rule on lapsed bulletins is named after her in the mails.
119 Rounding down had been the custom, since a lower number looks better in an advertisement. The bridge of Oudewater disagreed.
121 After the first year the bridge had been hit once, by a hull that had switched its receiver off because of the football.
124 The wave of February came eighteen minutes ahead of its forecast, which was inside of the band. The newspapers printed the line in the middle and not the band.
127 Keepers liked it; slow crews did not. Letters from the canoe clubs fill two boxes in the archive.
129 The barge of Tarn drifted for two kilometres with the bollard behind it and was stopped by a sandbank. Nobody was hurt, and the bollard stands in the museum.
131 A display that showed three cones as "3 ice cream" came from a translator who had not been told.
133 A tanker waited eleven hours outside the sill for lack of four centimetres. Its planner had called the window a closure and had sent it away and back again.
138 Wave gauges were put along four banks of clay. The damage grows with the cube of the speed, so that the last kilometre an hour costs more than all the others.
141 In the second summer the visitors arrived at five to six and the residents at five past. The harbour masters called it the changing of the guard.
143 On a Sunday in April an order was issued with a typing error in the name of the lock, which closed a lock in another country. Names have since been typed twice.
145 A journalist worked out the habits of a minister from the hourly counts of a quiet canal. That was the reason for the number five.
148 Prepayment cut the time at the window by half. What remains is talk, and the keepers asked for that to stay.
151 The diver who found the crack at Panheel in 2012 had been sent for a bicycle.
154 Customs wanted seven messages and the lock wanted one. The convoy number lets each of them have its way.
158 Simulations with the traffic of three years cut the wait at the worst lock from 74 to 41 minutes. The longest single wait hardly moved, and the text does not pretend otherwise.
161 Crockery was used in the trial, twelve plates to a boat. Holding the paddle saved all but two of them.
164 Printing a frame on the four lines of a hut display takes nine key presses. Somebody counted, and the count decided more than the arguments.
166 The third plug, the square one, was kept alive for eight years by a single harbour with a full cellar of them.
169 Boats that had waited for rain told the editors which margin they use themselves. The figures in the text are the median of thirty-one answers.
171 The mountain valleys had asked for this since 1996. The delta agreed when it was shown that its own toll would rise by less than the price of a coffee.
172 The ambulance rule was used 212 times in the first year, twice by the same driver on his way to lunch.
174 The chart that held up the closure was of a regatta.
176 Two huts lost their key pair in a thunderstorm and were back on the network within a day, by a visit and a form. With shared keys it would have been a fortnight.
180 The transformer was turned round and delivered by way of the sea, three weeks late. Its owner paid for the survey on which this note is based.
182 Double bookings went from thirty a week to one, and that one is a wedding boat which everybody tolerates.
186 Frontier officers were asked how long a hull takes. They said half an hour; the stopwatch said otherwise, and thirty-five is a compromise.
187 Slow boats gained forty minutes a day on average and fast ones lost six. The complaints come from the fast ones.
195 A wedding party moored to a virtual buoy, or tried to.
198 Tug masters bet on who accepts first, and the median answer comes after nine seconds.
200 The Czech bulletins had been read by the Dutch crews as a new kind of code, and one of them had nearly broken it.
203 The last boat of a convoy on the Havel sounded its horn for three hours before somebody told it that the fog had lifted.
209 The four crown case produced 1,100 pages. Both lawyers have since married.
210 Skippers pointed out that an invitation which is declined too often will not be given again. The editors left it to manners.
211 In the exercise at Strasbourg the rescue boat arrived seven minutes earlier than usual, and a gravel barge with a turning crew arrived in the wrong river.
215 The hull of 86 metres lay across the junction for two days and served as a bridge for pupils.
218 The registrar keeps the old spreadsheet for sentimental reasons and has been asked not to open it.
221 A first set of marks in colours was dropped because four of the nine editors could not tell two of them apart.
222 Bubbles were tried at Terneuzen and cut the salt by a third; swans enjoy them.
"""
SERVICE_STORIES = r"""
coin-till It replaced a module of the old shop that knew one currency. The rewrite took seven weeks, five of them for the word "pending", which had meant three different things.
ledger Auditors come each March and get a read only login and a pot of coffee. They have found one wrong entry so far, and it was theirs.
card-vault The code is small on purpose, just under six thousand lines, and every change is read by somebody outside the team.
risk-scale The model is a list of rules and not a network, since support has to explain a held order to a person on the phone.
refund-desk Most refunds are for a single bruised item. Asking for photographs was given up after a month; it cost more good will than the leeks.
invoice-press Schools print them on paper and file them by colour. The colour is therefore part of the interface.
voucher-tin Half of the vouchers are never used. Finance books them as a debt until the last day, and no earlier.
payout Farmers read the statement more closely than any customer does, so it lists each crate with the weight that the scale has shown.
shelf Pictures, prices and texts come from three places and are put together here, so that the front page needs one call.
crop-names It began as a quarrel between a grower from Ulm and one from Graz. Both names are in it, and so is the quarrel, as a comment.
price-tag A buyer can pin a price for a day. Pins are listed on a page that everybody in the company may read.
season-wheel Greenhouses blur it: a tomato from the heated house of a member farm counts as out of season, to the member's regret.
photo-barn The team has tried twice to retire it in favour of a bought service and came back both times for the colours of beetroot.
recipe-card Cooks are paid by recipe and by the absence of letters about it.
allergen-lamp Each release is tested against four hundred baskets that a nurse has put together.
search-lane People type "salad" and mean eleven things. The service shows all of them and watches which word is typed next.
basket An earlier version kept baskets for ever, and one of them held a pumpkin for two years.
box-builder The solver is written in house. A commercial one was faster and could not be told that nobody wants three kinds of cabbage.
order-line Its state machine hangs on the wall of the team room, drawn by hand, and the drawing is checked against the code in the tests.
subscription A household can skip, swap or stop without talking to anybody; the law came later than the feature.
pause-button Written in a week before the summer of 2019 and hardly touched since.
gift-ribbon December is two thirds of its year. It is scaled up on the first of the month by hand.
group-order Still an experiment in four towns. Whether it stays is decided after the second winter.
cutoff-bell The hills were given noon after a van had stood in the snow with nineteen boxes nobody wanted any more.
route-planner Drivers may refuse a tour once a week without a reason, and what they refuse teaches the planner more than its tests do.
van-fleet The workshop writes into it as well: a van with a red mark does not exist for anyone else.
doorstep Cellars, lifts and the countryside taught us to treat the network as a rumour.
eta-whisper A first version told the minute and was wrong by nine of them on the average. Nobody has complained about the quarters.
map-tiles Drivers report new gates and lost bridges from the road; a report is on the map within a day.
crate-return Some crates come back with flowers in them. There is no field for that.
cold-chain Milk and eggs ride in blue boxes with a probe each. Probes are calibrated in January, in ice water and in patience.
bike-courier Runs in Graz, Freiburg and Lucca. Riders see the tour as a list and the hills as a warning.
depot-stock Counting is done at night by two people who start from opposite ends.
weigh-in The farmer signs on the screen with a finger, or with a carrot, which works as well.
scale-bridge The documentation of the protocol is a photocopy of a fax. It has been typed up in the repository.
pick-light Pickers chose the colour. Blue tires the least, they say, and red is kept for a mistake.
label-goose Labels are read by drivers in the dark, so the street comes first and largest.
waste-log Bread goes to the food bank, greens go to two zoos, and the rest is composted. Each way has a code.
shift-board Swaps need no approval as long as both have the same licence.
sensor-hub Sensors speak three radio protocols, and one of them only when it is warm.
profile The team deletes more than it adds: fields that nobody has read for a year are dropped in January.
front-door Passwords can be replaced by a link in a mail, which is what most people choose by now.
household-book Flat shares change quickly. A person who leaves takes the dislikes along and leaves the deposit behind.
key-cabinet Hardware modules were looked at and found to be slower than the lorry that brought them.
consent-leaf Wordings are kept as pictures too, because a court once wanted to see the font.
partner-gate Farms asked for no passwords, and schools for many. Paper was what both would accept.
farm-register A visit a year belongs to it: somebody drives out, walks the fields and writes half a page.
harvest-diary Growers write on the phone, with wet hands; there are eleven buttons and no free text.
field-weather Two stations were eaten by goats.
seed-loan Paid back in parsnips by most, since parsnips keep.
contract-barn The oldest contract is written on the back of a seed bag and has been renewed eight times.
help-desk Everybody in the company answers mails for half a day each quarter, directors not excepted.
bread-crumb It compares sentences, not customers, and forgets a case after two years.
satisfaction A stalk is followed up by a call. Of ten people called, seven order again.
mail-coach Two providers are used by turns so that a blocked one is noticed on the same day.
template-shed Footers had grown to nineteen lines by 2021 and were cut to four in an afternoon.
clockwork Leap seconds are ignored, and so is everybody who asks about them.
calendar-rail Volunteers from the villages send corrections by postcard.
lighthouse It has no dependencies on purpose. The kitchen lamp hangs on a wire of its own.
old-mill Nobody dares to upgrade the language, and nobody has to any more.
"""
WIKI_NOTES = r"""
Lanternwort A single plant in a pot stood on the sill of the schoolroom for thirty years and has seeded the whole lane.
Grey Sallow Rods are sorted by length in a barrel that has rings painted on the inside.
Pillow Moss Children are told that a hedgehog sleeps below each of them. It keeps their feet off.
Bog Moss Samples from the pool were sent to a university in 1987, and the letter of thanks hangs in the loft.
Moss Campion Two plants were lost to a well meant rake in the year of the television crew.
Widow's Thyme The widow was called Agnes and outlived three head gardeners.
Quillroot Schoolbooks of the 1890s show spots with a brown halo where a pen had leaked.
Mourning Bell A plate with a skull was put up and stolen, put up and stolen again, and is now painted on the wall.
False Woad Its seed sticks to boots. A brush hangs at the gate of the bed.
Night Angelica The oldest plant was given a birthday with a cake, flowered the week after and died.
Hollin Rose Three nurseries sell a rose of this name that is not it. The true one has seven leaflets and a hooked thorn below each.
Whistling Reed In a west wind the pitch is about that of a kettle.
Ember Currant Blackbirds know the ripe end better than the pickers do.
Winter Medlar An engraving of 1851 shows the tree as tall as the gate, so one of the dates must be wrong.
Candle Rush Rush holders of iron were found behind the boiler in 1972, and four of them are in use at the supper.
Soapleaf The weavers used to fetch it by the cart, and paid with selvedges, of which the cushions in the hall are made.
Weaver's Flax A dry May makes short fibre. The tall year was 1987.
Marsh Candle Photographers lie on a plank that is laid out for them and taken in at noon.
Hedge Hop The brewer at the mill buys what the pillows leave.
Amber Mullein A moth with a grey hood lives on it, and no one here calls that moth a pest.
Loft Garlic It has been grown from its own cloves since 1919 and is by now a little different from everybody else's.
Silver Quince Wasps cannot bite it either.
Teasel Broad A cloth mill in the valley ordered eight thousand heads a year until wire took over.
Cold Frame Frames on wheels were tried and ran away.
Wattle Fence A fence should let a third of the wind through; a closed one falls over.
Dry Stone Seat The builder signs on the underside of the last stone.
Hot Bed A thermometer on a stick is pushed in each morning at the same spot.
Rain Butt Tower Herons use it as a look-out, which the goldfish in the pool have noticed.
Sallow Arch The first arch took root so well that it has become a tunnel.
Bee Skep Honey is not taken from skeps any more. They are for swarms that came without asking.
Moss Wall School classes sponsor a square metre each and send letters to it.
Toad House Flowerpots with a hole in the side are sold for the same purpose and stay empty.
North Bed Snowdrops come up between the bricks of the path, where nobody planted them.
Brook Edge The mill asks every spring whether the sluice may stay shut. It may not.
Peat Pool Dragonflies are counted by a retired dentist who comes by bus.
Scree Lizards were seen for the first time in 2005.
Herb Wheel The hub is a real one, from the cart that brought the first rhubarb.
Long Wall Bricks were burnt on the spot from the clay of what is now the orchard pond.
Kitchen Plot Rows are drawn with a cord that has knots at the old measures.
Orchard A ladder left in a tree overnight belongs to the finder.
Velvet Aphid Ladybirds do their part, but they are always a week late.
Quince Rust It was taken for a decoration by the painter who did the calendar of 2014.
Currant Sawfly Hens below the bushes in winter eat the cocoons.
Winter Supper The table is laid with ferns, and the warden speaks for as long as a rush light burns and not longer.
Bee Count Guests who cannot tell a hoverfly from a bee are given the square next to the roses.
Madder Lifting Soup is served in the wash house. The tin plates have been pink since the fifties.
Open Gate Day Visitors are asked to bring back last year's flowerpots.
Seed Swap A packet of nothing but dust was once exchanged nine times.
Warden The longest to serve was Silas Marsh, the shortest a Mr Peel, who was allergic.
Frost Watch Soup, blankets and a radio are provided; the radio has to be turned down when the owls begin.
"""
HANDBOOK_MORE = r"""
财务/差旅报销.md 打车票要写起点和终点，夜里十点以后的车费不占额度。机票请走统一的订票平台，自己买的票差价不补。
财务/采购限额.md 紧急采购可以先买后补，但是要当天在采购群里说明，三天内把比价的材料补齐。供应商名单每年秋天更新。
财务/备用金.md 备用金只用于邮资、饮用水和临时的五金件，不能用来垫付差旅。
财务/发票须知.md 看不清的照片会被退回。一张照片里只放一张票，背景最好是白纸。
人事/请假.md 调休要在加班之后的三个月里用掉。跨年的长假请至少提前一个月和组里商量，春节前后每组至少留一个人。
人事/入职.md 第一周的午饭由导师安排，尽量每天换一桌人。门禁照片在入职当天拍，不喜欢可以重拍一次。
人事/离职交接.md 交接的文档放在组里的共享目录，不要留在个人网盘。接手的人签字之后，交接才算完成。
人事/远程办公.md 家里的网络不稳定时请直接回公司，不必解释。客户现场的工作不算在家办公。
人事/培训补贴.md 组内分享过的课程可以多报一成。线上课程要附上完成的截图。
行政/门禁.md 搬大件物品要先开放行条，由部门助理签字。晚上最后离开的人负责检查窗户和咖啡机。
行政/会议室.md 窗边的小间叫洛水和湘江，只适合两个人谈话。重复预订每个季度清理一次。
行政/设备借用.md 投影仪和三脚架不外借到公司以外。丢了配件按原价赔，旧的也一样。
行政/班车.md 北线在立交桥修路期间绕行，时间会晚一刻钟左右。坐满为止，不预约。
行政/食堂.md 每个月最后一个星期四是面食日，意见本放在收盘子的地方，厨师长每周看一次。
行政/停车.md 访客车位在地面，要提前登记车牌。洗车的师傅周二和周五来。
技术/值班.md 值班手机由主值班保管，号码不变。夜里处理完的事情，第二天要在晨会上讲五分钟。
技术/错误码.md 新的错误码由各组自己登记，编号不能重复使用。日志里要同时写出追踪号。
技术/上线流程.md 数据库的改动要和代码分开上线，先加字段，再用字段，最后才删旧字段。
技术/数据备份.md 演练由不熟悉那个库的人来做，照着文档一步一步走，走不通的地方当场改文档。
技术/账号权限.md 离组的人权限当天收回。共用账号不许新建，剩下的两个正在拆。
技术/代码评审.md 机器人先跑一遍格式检查，人只看机器看不出来的东西。
客服/投诉处理.md 电话录音只用于复盘，不用于考核。复盘会每两周开一次，客服自己挑案例。
客服/退换货.md 礼品退货不通知送礼的人。海外订单先联系客服再寄，否则可能被海关扣下。
安全/信息安全.md 离开座位请锁屏。打印机旁边的碎纸箱每天傍晚清空。
"""
STATES = {"A": "Active", "P": "Proposed", "T": "Retired", "X": "Rejected", "K": "Parked"}
TRACKS = {"Core": "Core", "Prac": "Practice", "Proc": "Process", "Exp": "Experiment"}
RULES_TITLES = ["Rules", "Text of the Note", "What Stations Do", "Provisions"]
STORY_TITLES = ["Experience", "From Practice", "Background"]
ASIDE_TITLES = ["Considerations", "Remarks", "Notes for Implementers", "Points Raised in Review"]
EFFECT_TITLES = ["Effect on Running Stations", "Transition", "Introduction into Service"]
SERVICE_OPENINGS = [
    "## What it does",
    "## Purpose",
    "## In short",
    "## About",
]
SERVICE_NOTES = [
    "Changes go through a review by one member of the team; a second one is asked for when the schema moves.",
    "There is a staging copy with a tenth of the data, refreshed on Mondays.",
    "Dashboards are linked from the lighthouse page of the service.",
    "Tests run in under four minutes; please keep it that way.",
    "Traces are sampled at one in fifty, and all of the failed calls are kept.",
    "The schema is documented next to the migrations and nowhere else.",
    "Deploys are automatic after the tests and stop by themselves when errors rise.",
    "Load is highest on Thursday evening, when the new week opens.",
    "Old versions of the interface are kept for one season.",
    "Ask in the team's channel before you add a caller, as capacity is planned by caller.",
    "Feature switches are listed in the admin page and removed within a quarter.",
    "Local development needs only a container runtime and patience.",
]
PAGERS = ["Dilara", "Mattis", "Noor", "Henrike", "Paolo", "Svea", "Kwame", "Isla", "Teodor", "Yuki", "Ruben", "Anouk"]
LIFECYCLE = {
    "old-mill": "deprecated",
    "group-order": "incubating",
    "seed-loan": "incubating",
    "photo-barn": "maintenance",
}
WIKI_FOLDERS = {
    "plant": "plants",
    "recipe": "making",
    "build": "building",
    "tool": "tools",
    "place": "places",
    "pest": "pests",
    "event": "days",
    "term": "words",
}
WIKI_CATEGORIES = {
    "plant": "Plants",
    "recipe": "Things to make",
    "build": "Things to build",
    "tool": "Tools",
    "place": "Parts of the garden",
    "pest": "Pests and ailments",
    "event": "Days of the year",
    "term": "Words",
}
GROWING = {
    "full sun": [
        "Wants sun from breakfast to supper and sulks in the shade of a wall.",
        "A hot, open place suits it; in a wet summer it leans.",
        "Give it the warmest corner that is free and leave the hose alone.",
        "Grows best where the snow melts first.",
        "Full light keeps it short and saves on stakes.",
        "It has never done well under the trees, and it has been tried three times.",
    ],
    "half shade": [
        "Morning sun is enough; the noon sun scorches the tips.",
        "Thrives where the light comes through leaves.",
        "Moves house without complaint in a damp October.",
        "A mulch of leaves in autumn spares most of the watering.",
        "Half a day of light is right, and it hardly matters which half.",
    ],
    "deep shade": [
        "The darker the place, the better it looks.",
        "Any sun at noon is too much for it.",
        "Keep it out of the wind, and keep brooms away from it.",
        "It grows slowly and should not be hurried with feed.",
    ],
}
RAISING = [
    "Raised from seed that is sown as soon as it is ripe.",
    "Divided in spring, with a spade and without pity.",
    "Cuttings root in sharp sand by the end of summer.",
    "Layered: a low shoot is pegged down and forgotten for a year.",
    "Comes up by itself where the soil has been turned.",
    "Bought in once and kept going from offsets ever since.",
    "Seedlings are pricked out when they can be held.",
]
MAKER_NOTES = [
    "The quantities have been checked by two people who did not agree.",
    "Written down from the kitchen book, with the spelling mended.",
    "Halve everything for a first try.",
    "Handed down without a date; the hand is that of the second warden.",
    "Best done with the windows open.",
    "Older members do it from memory and differently.",
]


def blocks(text):
    """The blocks of a text that begin with @ or #: the first line and the lines after it."""
    block = []
    for line in text.strip().split("\n"):
        if re.match(r"[@#] ", line):
            if block:
                yield block
            block = [line[2:]]
        else:
            block.append(line)
    yield block


def keyed(text, pattern):
    """Lines that begin with a key, as a mapping from the key to the rest of the line."""
    return {m[1]: m[2] for m in (re.match(pattern, line) for line in text.strip().split("\n"))}


class Deck:
    """Deals lines from a pool, all of them before any comes again."""

    def __init__(self, lines, rng):
        self.lines, self.rng, self.left = list(lines), rng, []

    def deal(self):
        if not self.left:
            self.left = self.rng.sample(self.lines, len(self.lines))
        return self.left.pop()


def day_text(day):
    return f"{day.day} {day:%b %Y}"


def wrap(text, width=78):
    """Plain text folded at a width, since notes are read in terminals."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text.rstrip("\n") + "\n")


def standard_row(block):
    head, topic, marks = (part.strip() for part in block[0].split("|"))
    number, title = head.split(" ", 1)
    flags = marks.split()
    row = {"number": int(number), "title": title, "topic": topic, "state": STATES[flags[0]], "track": TRACKS[flags[1]]}
    row["depends"] = sorted(int(n) for f in flags if f[0] == "<" for n in f[1:].split(","))
    row["retired_by"] = next((int(f[1:]) for f in flags if f[0] == ">"), None)
    row["purpose"] = block[1]
    row["rules"] = next(line[2:] for line in block if line.startswith("S "))
    row["experience"] = keyed(EXPERIENCE, r"(\d+) (.+)").get(head.split(" ")[0], "")
    row["reason"] = next((line[2:] for line in block if line.startswith("R ")), "")
    return row


def standard_rows():
    """The notes with their dates and editors, in the order of their numbers."""
    rng = random.Random(3976)
    rows = [standard_row(b) for b in blocks(STANDARDS)]
    day = datetime.date(2009, 2, 3)
    weights = [30, 22, 17, 13, 10, 8, 7, 6, 5, 5, 4, 4, 3, 2]
    for row in rows:
        row["opened"] = day
        day += datetime.timedelta(days=rng.randint(6, 88))
        people = [rng.choices(EDITORS, weights)[0] for _ in range(rng.choice([1, 1, 1, 2]))]
        row["editors"] = list(dict.fromkeys(people))
        row["active"] = None
        if row["state"] in ("Active", "Retired"):
            row["active"] = row["opened"] + datetime.timedelta(days=rng.randint(120, 420))
    by_number = {r["number"]: r for r in rows}
    for row in rows:
        row["retires"] = [r["number"] for r in rows if r["retired_by"] == row["number"]]
        row["retired"] = by_number[row["retired_by"]]["active"] if row["retired_by"] else None
        row["path"] = f"iwn-{row['number']}.{'rst' if row['number'] >= 190 else 'txt'}"
    return rows


def standard_head(row):
    fields = [("Number", row["number"]), ("Title", row["title"]), ("Editor", ", ".join(row["editors"]))]
    fields += [("State", row["state"]), ("Track", row["track"]), ("Opened", day_text(row["opened"]))]
    if row["active"]:
        fields.append(("Active-Since", day_text(row["active"])))
    for key, numbers in (("Depends-On", row["depends"]), ("Retires", row["retires"])):
        if numbers:
            fields.append((key, ", ".join(map(str, numbers))))
    if row["retired_by"]:
        fields.append(("Retired-By", row["retired_by"]))
    return "\n".join(f"{key}: {value}" for key, value in fields)


def standard_history(row):
    lines = [f"{day_text(row['opened'])}: opened on the mailing list."]
    if row["active"]:
        lines.append(f"{day_text(row['active'])}: became Active.")
    if row["retired"]:
        lines.append(f"{day_text(row['retired'])}: retired in favour of IWN {row['retired_by']}.")
    if row["state"] == "Rejected":
        lines.append("Rejected by the editors; see above for the grounds.")
    if row["state"] == "Parked":
        lines.append("Parked; anybody may take it up again.")
    return "\n".join(f"* {line}" for line in lines)


def standard_text(row, rng, pools, titles):
    """A note: its header, then sections with underlined titles."""
    under = "=" if row["path"].endswith(".rst") else "-"
    sections = [("Purpose", row["purpose"]), (rng.choice(RULES_TITLES), row["rules"])]
    if row["reason"]:
        name = "Why It Was Rejected" if row["state"] == "Rejected" else "Alternatives Considered"
        sections.append((name, row["reason"]))
    if row["experience"]:
        sections.append((rng.choice(STORY_TITLES), row["experience"]))
    remarks = " ".join(pools[row["topic"]].deal() for _ in range(rng.choice([1, 2])))
    sections.append((rng.choice(ASIDE_TITLES), remarks))
    if row["state"] != "Rejected":
        sections.append((rng.choice(EFFECT_TITLES), " ".join(pools["general"].deal() for _ in range(2))))
    parts = [f"{t}\n{under * len(t)}\n\n{wrap(text)}" for t, text in sections]
    parts.append(f"History\n{under * 7}\n\n{standard_history(row)}")
    if row["depends"]:
        refs = "\n".join(f"* IWN {n}, {titles[n]}" for n in row["depends"])
        parts.append(f"References\n{under * 10}\n\n{refs}")
    return standard_head(row) + "\n\n\n" + "\n\n".join(parts)


def build_standards(out):
    rng = random.Random(1502)
    pools, name = {}, ""
    for line in STANDARD_POOLS.strip().split("\n"):
        if re.fullmatch(r"[a-z]+", line):
            name = line
            pools[name] = []
        else:
            pools[name].append(line)
    pools = {key: Deck(lines, rng) for key, lines in pools.items()}
    rows = standard_rows()
    titles = {r["number"]: r["title"] for r in rows}
    for row in rows:
        write(f"{out}/standards/{row['path']}", standard_text(row, rng, pools, titles))
    return rows


def service_row(block):
    names = ("name", "team", "tier", "language", "datastore", "since", "version", "slo", "depends")
    row = dict(zip(names, (part.strip() for part in block[0].split("|"))))
    row["tier"] = int(row["tier"])
    row["depends"] = [] if row["depends"] == "-" else row["depends"].split(",")
    row["lifecycle"] = LIFECYCLE.get(row["name"], "production")
    row["prose"] = [line[2:] for line in block if line.startswith("D ")]
    row["prose"].append(keyed(SERVICE_STORIES, r"(\S+) (.+)")[row["name"]])
    row["config"] = [line[2:].split(" | ") for line in block if line.startswith("C ")]
    row["errors"] = [line[2:].split(" | ") for line in block if line.startswith("E ")]
    row["drills"] = [line for line in block[1:] if re.match(r"N |\d ", line)]
    return row


def service_yaml(row, pager):
    lines = [f"name: {row['name']}", f"team: {row['team']}", f"tier: {row['tier']}", f"lifecycle: {row['lifecycle']}"]
    lines += [f"language: {row['language']}", "on_call:", f"  rotation: {row['team']}-rota", f"  first: {pager}"]
    lines += ["depends_on:" if row["depends"] else "depends_on: []", *(f"  - {name}" for name in row["depends"])]
    lines += [f"datastore: {row['datastore'] if row['datastore'] != '-' else 'none'}"]
    lines += [f"since: {row['since']}", f'version: "{row["version"]}"', f"slo: {row['slo']}"]
    return "\n".join(lines)


def service_readme(row, opening, notes):
    parts = [f"# {row['name']}", opening, *row["prose"]]
    if row["config"]:
        table = ["| Variable | Default | Meaning |", "| --- | --- | --- |"]
        parts += ["## Settings", "\n".join(table + [f"| `{a}` | {b} | {c} |" for a, b, c in row["config"]])]
    if row["errors"] and not row["drills"]:
        parts += ["## Errors", "\n".join(f"- **{a}**: {b}" for a, b in row["errors"])]
    parts += ["## Working on it", " ".join(notes)]
    if row["drills"]:
        parts.append("When something is on fire, see [RUNBOOK.md](RUNBOOK.md).")
    return "\n\n".join(parts)


def service_runbook(row):
    lines = [f"# Runbook: {row['name']}", "", "Page the rotation of the team first when customers are touched.", ""]
    for line in row["drills"]:
        mark, text = line.split(" ", 1)
        lines += [f"## {text}", ""] if mark == "N" else [f"{mark}. {text}"]
    if row["errors"]:
        table = [f"| `{a}` | {b} |" for a, b in row["errors"]]
        lines += ["", "## Error codes", "", "| Code | What it means |", "| --- | --- |", *table]
    return "\n".join(lines)


def build_services(out):
    rng = random.Random(1503)
    notes = Deck(SERVICE_NOTES, rng)
    rows = [service_row(b) for b in blocks(SERVICES)]
    for row in rows:
        folder = f"{out}/services/{row['name']}"
        row["first"] = rng.choice(PAGERS)
        write(f"{folder}/service.yaml", service_yaml(row, row["first"]))
        write(f"{folder}/README.md", service_readme(row, rng.choice(SERVICE_OPENINGS), [notes.deal(), notes.deal()]))
        if row["drills"]:
            write(f"{folder}/RUNBOOK.md", service_runbook(row))
    return rows


def wiki_row(block):
    name, kind, *fields = (part.strip() for part in block[0].split("|"))
    row = {"name": name, "kind": kind, "fields": dict(f.split("=", 1) for f in fields[0].split("; "))}
    for mark, key in (("D ", "prose"), ("+ ", "needs")):
        row[key] = [line[2:] for line in block[1:] if line.startswith(mark)]
    names = "|".join(re.findall(r"(?m)^@ (.+?) \|", WIKI))
    row["note"] = keyed(WIKI_NOTES, f"({names}) (.+)").get(name, "")
    row["needs"] = [tuple(line.split(" | ")) for line in row["needs"]]
    row["steps"] = [line.split(" ", 1)[1] for line in block[1:] if re.match(r"\d ", line)]
    slug = re.sub(r"[^a-z]+", "-", name.lower().replace("'", "")).strip("-")
    row["path"] = f"{WIKI_FOLDERS[kind]}/{slug}.md"
    return row


def linked(text, paths):
    """The text with each name of a page, whole field or in double brackets, as a link."""
    text = re.sub(r"\[\[(.+?)\]\]", r"\1", text) if text not in paths else text
    names = [n for n in re.split(r", ", text) if n in paths]
    for name in names:
        text = text.replace(name, f"[{name}](../{paths[name]})")
    return text


def info_box(row, paths):
    pairs = [(k, linked(v, paths)) for k, v in row["fields"].items()]
    if row["kind"] in ("plant", "place", "pest", "event"):
        return "  \n".join(f"**{k}:** {v}" for k, v in pairs)
    return "\n".join(f"- {k}: {v}" for k, v in pairs)


def prose_links(text, paths):
    return re.sub(r"\[\[(.+?)\]\]", lambda m: f"[{m[1]}](../{paths[m[1]]})", text)


def wiki_page(row, paths, decks, others, rng):
    tags = [row["fields"].get("Family", row["kind"]).lower(), row["path"].split("/")[0]]
    updated = datetime.date(2019, 1, 1) + datetime.timedelta(days=rng.randint(0, 2400))
    head = ["---", f"title: {row['name']}", f"category: {WIKI_CATEGORIES[row['kind']]}"]
    head += [f"tags: [{', '.join(dict.fromkeys(tags))}]", f"updated: {updated}", "---"]
    parts = ["\n".join(head), f"# {row['name']}", info_box(row, paths)]
    parts += [prose_links(p, paths) for p in row["prose"]]
    if row["kind"] == "plant":
        parts += ["## Growing", f"{decks[row['fields']['Light']].deal()} {decks['raising'].deal()}"]
    if row["needs"]:
        name = "Ingredients" if row["kind"] == "recipe" else "Materials"
        table = [f"| {name[:-1]} | Amount |", "| --- | --- |"]
        parts += [f"## {name}", "\n".join(table + [f"| {linked(a, paths)} | {b} |" for a, b in row["needs"]])]
    if row["steps"]:
        parts += ["## Steps", "\n".join(f"{i}. {s}" for i, s in enumerate(row["steps"], 1)), decks["maker"].deal()]
    if row["note"]:
        parts += [f"## {rng.choice(['Notes', 'Remarks', 'From the garden book'])}", row["note"]]
    parts += ["## See also", "\n".join(f"- [{n}](../{paths[n]})" for n in others)]
    return "\n\n".join(parts)


def build_wiki(out):
    rng = random.Random(1504)
    decks = {key: Deck(lines, rng) for key, lines in GROWING.items()}
    decks |= {"raising": Deck(RAISING, rng), "maker": Deck(MAKER_NOTES, rng)}
    rows = [wiki_row(b) for b in blocks(WIKI)]
    paths = {r["name"]: r["path"] for r in rows}
    for row in rows:
        same = [r["name"] for r in rows if r["kind"] == row["kind"] and r is not row]
        write(f"{out}/wiki/{row['path']}", wiki_page(row, paths, decks, rng.sample(same, 2), rng))
    return rows


def line_kind(line):
    """Which kind of Markdown block a line belongs to."""
    if line.startswith("## "):
        return "heading"
    return {"|": "table", "-": "list", ">": "quote"}.get(line[0], "steps" if re.match(r"\d\. ", line) else "text")


def spaced(lines):
    """The lines with a blank one between blocks of different kinds."""
    text, last = "", ""
    for line in lines:
        kind = line_kind(line)
        text += ("\n" if last and (kind != last or kind == "text") else "") + line + "\n"
        last = kind
    return text


def build_handbook(out):
    rows = []
    for block in blocks(HANDBOOK):
        path, _, marks = block[0].partition(" | ")
        fields = dict(m.split("=") for m in marks.split(";")) if marks else {}
        more = keyed(HANDBOOK_MORE, r"(\S+) (.+)").get(path)
        body = spaced(block[1:] + (["## 补充说明", more] if more else []))
        title = os.path.basename(path)[:-3]
        front = "".join(["---\n", *(f"{k}: {v}\n" for k, v in fields.items()), "---\n\n"]) if fields else ""
        write(f"{out}/手册/{path}", f"{front}# {title}\n\n{body}")
        rows.append({"path": path, "title": title, **fields})
    return rows


def build(out):
    return build_standards(out), build_services(out), build_wiki(out), build_handbook(out)


def needed(rows, key, first, field="depends"):
    """All members that first needs, directly or through others."""
    rows = {r[key]: r for r in rows}
    seen, left = set(), list(rows[first][field])
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            left += rows[name][field]
    return sorted(seen)


def dependents(rows, key, first):
    """All members that need first, directly or through others."""
    return [r[key] for r in rows if first in needed(rows, key, r[key])]


def standard_gold(rows):
    """For each computed question over the notes: the right facts and the files that prove them."""
    by_number = {r["number"]: r for r in rows}
    gold = {}

    def put(name, members, facts=None):
        gold[name] = (facts or [str(r["number"]) for r in members], [r["path"] for r in members])

    proposed = [r for r in rows if r["state"] == "Proposed"]
    put("all-01", proposed, [str(len(proposed))])
    put("all-02", sorted((r for r in rows if "Routing" in r["title"]), key=lambda r: r["opened"])[-3:])
    counts = collections.Counter(e for r in rows for e in r["editors"])
    busy = [e for e, n in counts.items() if n > 15]
    put("all-03", [r for r in rows if set(busy) & set(r["editors"])], busy)
    put("all-04", [by_number[n] for n in needed(rows, "number", 211)])
    put("all-05", [r for r in rows if r["state"] == "Parked"])
    put("all-06", [r for r in rows if r["state"] == "Rejected" and r["track"] == "Experiment"])
    years = collections.Counter(r["opened"].year for r in rows)
    (year, most), (_, second) = years.most_common(2)
    put("all-07", [r for r in rows if r["opened"].year == year], [str(year), str(most)] if most > second else ["tie"])
    put("rel-01", [by_number[187]], [day_text(by_number[187]["active"])])
    put("rel-02", [by_number[141], by_number[182]], [str(by_number[141]["retired_by"])])
    put("rel-03", [by_number[190]], [by_number[190]["state"], by_number[190]["track"]])
    retired = [by_number[n] for n in by_number[176]["retires"]]
    put("rel-04", [by_number[176], *retired], [str(r["number"]) for r in retired])
    put("rel-05", [by_number[154]], by_number[154]["editors"])
    put("rel-06", [by_number[187]], [str(n) for n in by_number[187]["depends"]])
    return gold


def service_gold(rows):
    """For each computed question over the services: the right facts and the files that prove them."""
    by_name = {r["name"]: r for r in rows}
    gold = {}

    def put(name, members, facts=None):
        names = [r["name"] for r in members]
        gold[name] = (facts or names, [f"{n}/service.yaml" for n in names])

    put("all-08", [r for r in rows if r["team"] == "payments" and r["tier"] == 1])
    postgres = [r for r in rows if r["datastore"] == "PostgreSQL"]
    put("all-09", postgres, [str(len(postgres))])
    put("all-10", [by_name[n] for n in dependents(rows, "name", "van-fleet")])
    put("all-11", [r for r in rows if r["slo"] == "99.99"])
    put("all-12", sorted(rows, key=lambda r: r["since"])[:3])
    put("rel-07", [by_name["box-builder"]], [by_name["box-builder"]["first"], by_name["box-builder"]["team"]])
    put("rel-08", [by_name["pick-light"]], by_name["pick-light"]["depends"])
    put("rel-09", [r for r in rows if "household-book" in r["depends"]])
    doorstep = by_name["doorstep"]
    put("rel-10", [doorstep], [doorstep["language"], doorstep["datastore"], doorstep["since"]])
    return gold


def wiki_gold(rows):
    """For each computed question over the wiki: the right facts and the files that prove them."""
    by_name = {r["name"]: r for r in rows}
    gold = {}

    def put(name, members, facts=None):
        gold[name] = (facts or [r["name"] for r in members], [r["path"] for r in members])

    def field(page, *keys):
        return [by_name[page]["fields"][key] for key in keys]

    plants = [r for r in rows if r["kind"] == "plant"]
    put("all-13", [r for r in rows if re.search(r"\bmoss\b", r["name"], re.I)])
    put("all-14", [r for r in rows if any(a == "Grey Sallow" for a, _ in r["needs"])])
    cold = [re.match(r"-(\d+)", r["fields"]["Hardiness"]) for r in plants]
    put("all-15", [r for r, m in zip(plants, cold) if m and int(m[1]) >= 35])
    put("all-16", [r for r in plants if r["fields"]["Family"] == "Roses"])
    put("rel-11", [by_name["Scree"]], field("Scree", "Keeper", "Laid out"))
    put("rel-12", [by_name["Currant Sawfly"]], field("Currant Sawfly", "Remedy"))
    put("rel-13", [by_name["Marsh Candle"]], field("Marsh Candle", "Bed", "Hardiness"))
    return gold


def handbook_gold(rows):
    """For each computed question over the handbook: the right facts and the files that prove them."""
    gold = {}
    for name, key, value in (("all-17", "状态", "作废"), ("all-18", "负责人", "段宇")):
        members = [r for r in rows if r.get(key) == value]
        gold[name] = ([r["title"] for r in members], [r["path"] for r in members])
    door = next(r for r in rows if r["title"] == "门禁")
    gold["rel-14"] = ([door["负责人"], door["生效日期"]], [door["path"]])
    return gold


def computed(standards, services, wiki, handbook):
    return standard_gold(standards) | service_gold(services) | wiki_gold(wiki) | handbook_gold(handbook)


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


KEYS = {"id", "corpus", "question", "lang", "kind", "answerable", "facts", "gold_files", "note"}
COMPUTED = ("whole_folder", "relational")


def read_all(folder):
    """The texts of a folder by path."""
    texts = {}
    for root, _, files in os.walk(folder):
        for name in files:
            with open(f"{root}/{name}", encoding="utf-8") as file:
                texts[os.path.relpath(f"{root}/{name}", folder)] = file.read()
    return texts


def gold_faults(row, gold, texts):
    """Where the facts and the gold files of a question do not hold."""
    name, facts = row["id"], row["facts"]
    if row["kind"] in COMPUTED:
        right, files = gold[name]
        if any(f[0] not in right for f in facts) or sorted(files) != sorted(row["gold_files"]):
            yield f"{name}: differs from the computed gold {right}"
        if len(facts) < min(4, len(right)):
            yield f"{name}: too few facts"
    else:
        yield from (f"{name}: in no gold file: {f}" for f in facts if not any(has(t, a) for a in f for t in texts))
        for wrong in row.get("must_not", []):
            if any(has(t, wrong) for t in texts):
                yield f"{name}: must_not {wrong!r} is in a gold file"


def faults(out, rows, gold):
    """What is wrong with the questions, as lines of text."""
    seen = set()
    corpora = {name: read_all(f"{out}/{name}") for name in ("standards", "services", "wiki", "手册")}
    for row in rows:
        name, facts = row["id"], row["facts"]
        if set(row) - {"must_not"} != KEYS or name in seen or norm(row["question"]) in seen:
            yield f"{name}: keys, or the same question twice"
        seen |= {name, norm(row["question"])}
        if not row["answerable"] == bool(facts) == bool(row["gold_files"]) or len(facts) > 4:
            yield f"{name}: facts or gold files do not fit"
        missing = [p for p in row["gold_files"] if p not in corpora[row["corpus"]]]
        if missing:
            yield f"{name}: no such file: {missing}"
            continue
        yield from gold_faults(row, gold, [corpora[row["corpus"]][p] for p in row["gold_files"]])
        yield from (f"{name}: {a!r} is in the question" for f in facts for a in f if has(row["question"], a))


def elsewhere(out, rows):
    """Files beyond the gold ones that hold all the facts of a question: where an answer could be right by accident."""
    for row in rows:
        if row["kind"] not in COMPUTED and row["facts"]:
            texts = read_all(f"{out}/{row['corpus']}")
            others = [
                p
                for p, t in sorted(texts.items())
                if p not in row["gold_files"] and all(any(has(t, a) for a in f) for f in row["facts"])
            ]
            if others:
                yield f"{row['id']}: {', '.join(others)}"


def check(out, built):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(f"{here}/questions.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for field in ("kind", "corpus", "lang"):
        print(field, dict(sorted(collections.Counter(r[field] for r in rows).items())))
    problems = list(faults(out, rows, computed(*built)))
    print(len(rows), "questions,", len(problems), "problems", *problems, sep="\n")
    print("all facts also in:", *elsewhere(out, rows), sep="\n")
    return bool(problems)


if __name__ == "__main__":
    written = build(sys.argv[1])
    sys.exit(check(sys.argv[1], written) if "--check" in sys.argv else 0)
